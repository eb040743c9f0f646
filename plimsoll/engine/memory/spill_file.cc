#include "plimsoll/engine/memory/spill_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

FileDescriptor open_unnamed(const std::string& folder) {
  std::string path = folder + "/plimsoll-spill-XXXXXX";
  const int made = ::mkstemp(path.data());
  if (made < 0) throw IoError(folder + ": no file can be made there to spill to");
  ::close(made);
  FileDescriptor file(path, O_RDWR);
  ::unlink(path.c_str());
  return file;
}

// A transfer knows its file by its kernel; as an op it is a name.
class TransferOp final : public Op {
 public:
  explicit TransferOp(std::string_view name) : name_(name) {}
  std::string_view name() const override { return name_; }
  void describe(Attributes&) const override { [[maybe_unused]] const auto& [name] = *this; }
  Specs infer(std::span<const Spec>) const override { return {}; }
  KernelPtr kernel(const KernelRequest&) const override { return nullptr; }
  Arrays reference(std::span<const Array>) const override { return {}; }

 private:
  std::string_view name_;
};

struct FileRange {
  std::shared_ptr<SpillFile> file;
  int64_t offset, bytes;
};

class SpillStore final : public Kernel {
 public:
  explicit SpillStore(FileRange place) : place_(std::move(place)) {}
  void run(const KernelArguments& arguments) const override {
    place_.file->store(place_.offset, {arguments.inputs[0], static_cast<size_t>(place_.bytes)});
  }

 private:
  FileRange place_;
};

class SpillLoad final : public Kernel {
 public:
  explicit SpillLoad(FileRange place) : place_(std::move(place)) {}
  void run(const KernelArguments& arguments) const override {
    place_.file->load(place_.offset, {arguments.outputs[0], static_cast<size_t>(place_.bytes)});
  }

 private:
  FileRange place_;
};

}  // namespace

std::string spill_folder() {
  const char* asked = std::getenv("TMPDIR");
  const std::string folder = asked != nullptr && *asked != 0 ? asked : "/var/tmp";
  struct statfs about {};
  if (::statfs(folder.c_str(), &about) != 0 || about.f_type == TMPFS_MAGIC ||
      about.f_type == RAMFS_MAGIC)
    return "";
  return folder;
}

void SpillFile::prepare() {
  if (file_) return;
  FileDescriptor made = open_unnamed(folder_);
  errno = ::posix_fallocate(made.number(), 0, bytes_);
  if (errno != 0) made.fail("made as large as what is spilled");
  file_.emplace(std::move(made));
}

// What is on the disk need not stay in the page cache, which counts against the run.
void SpillFile::store(int64_t offset, std::span<const std::byte> bytes) {
  file_->write_at(offset, bytes);
  ::sync_file_range(file_->number(), offset, static_cast<off_t>(bytes.size()),
                    SYNC_FILE_RANGE_WRITE);
}

void SpillFile::load(int64_t offset, std::span<std::byte> into) {
  file_->read_at(offset, into);
  ::posix_fadvise(file_->number(), offset, static_cast<off_t>(into.size()), POSIX_FADV_DONTNEED);
}

OpPtr spill_store_op() {
  static const OpPtr op = std::make_shared<TransferOp>("spill_store");
  return op;
}

OpPtr spill_load_op() {
  static const OpPtr op = std::make_shared<TransferOp>("spill_load");
  return op;
}

KernelPtr make_spill_store(std::shared_ptr<SpillFile> file, int64_t offset, int64_t bytes) {
  return std::make_unique<SpillStore>(FileRange{std::move(file), offset, bytes});
}

KernelPtr make_spill_load(std::shared_ptr<SpillFile> file, int64_t offset, int64_t bytes) {
  return std::make_unique<SpillLoad>(FileRange{std::move(file), offset, bytes});
}

}  // namespace plimsoll
