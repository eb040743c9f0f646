#include "plimsoll/formats/bytes/unnamed_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"

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

std::string temporary_folder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (!error) return folder.string();
  const char* name = std::getenv("TMPDIR");
  throw IoError(fmt::format("{}: is not a folder for temporary files; set TMPDIR to one",
                            name == nullptr ? "/tmp" : name));
}

void announce_writing_out(const std::string& folder,
                          const std::function<void(const Finding&)>& announce,
                          const std::string& where, const std::string& why, int64_t bytes) {
  if (announce)
    announce({.severity = Finding::Severity::note,
              .where = where,
              .what = fmt::format("{}; it is written out once, {} in {}", why, format_bytes(bytes),
                                  folder)});
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (!error && static_cast<uintmax_t>(bytes) > space.available)
    throw IoError(
        fmt::format("{}: has no room for {}, which takes {} there; free some, or save the array "
                    "uncompressed",
                    folder, where, format_bytes(bytes)));
}

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
