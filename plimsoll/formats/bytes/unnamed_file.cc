#include "plimsoll/formats/bytes/unnamed_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "plimsoll/base/atomic_file.h"

namespace plimsoll {
namespace {

class UnnamedSource final : public ByteSource {
 public:
  UnnamedSource(FileDescriptor file, std::string name, int64_t size)
      : file_(std::move(file)), name_(std::move(name)), size_(size) {}

  const std::string& name() const override { return name_; }
  int64_t size() const override { return size_; }
  void read_at(int64_t offset, std::span<std::byte> into) override { file_.read_at(offset, into); }

 private:
  FileDescriptor file_;
  std::string name_;
  int64_t size_;
};

}  // namespace

// Not O_TMPFILE, which some file systems refuse.
FileDescriptor open_unnamed_file(const std::string& folder) {
  const AtomicFile named((folder.empty() ? "." : folder) + "/expanded");
  return FileDescriptor(named.temporary_path(), O_RDWR);
}

UnnamedFile::UnnamedFile(const std::string& folder, std::string name)
    : file_(open_unnamed_file(folder)), name_(std::move(name)) {}

void UnnamedFile::append(std::span<const std::byte> bytes) {
  file_.write_at(size_, bytes);
  size_ += static_cast<int64_t>(bytes.size());
}

ByteSourcePtr UnnamedFile::source() && {
  return std::make_shared<UnnamedSource>(std::move(file_), std::move(name_), size_);
}

}  // namespace plimsoll
