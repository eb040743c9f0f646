// Files on the disk, and standard input, as byte sources.
#include <fcntl.h>
#include <sys/stat.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/formats/bytes/standard_input.h"

namespace plimsoll {
namespace {

class FileSource final : public ByteSource {
 public:
  // O_NONBLOCK: a named pipe must not make us wait.
  explicit FileSource(const std::string& path) : file_(path, O_RDONLY | O_NONBLOCK) {
    struct stat status {};
    if (fstat(file_.number(), &status) != 0) file_.fail("read");
    if (!S_ISREG(status.st_mode))
      throw IoError(path + ": cannot be read: it is not a regular file");
    size_ = status.st_size;
  }

  const std::string& name() const override { return file_.path(); }
  int64_t size() const override { return size_; }
  void read_at(int64_t offset, std::span<std::byte> into) override { file_.read_at(offset, into); }

 private:
  FileDescriptor file_;
  int64_t size_ = 0;
};

}  // namespace

ByteSourcePtr file_source(const std::string& path) {
  if (path == kStandardInput) return standard_input();
  return std::make_shared<FileSource>(path);
}

}  // namespace plimsoll
