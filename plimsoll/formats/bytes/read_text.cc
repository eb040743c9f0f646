#include "plimsoll/formats/bytes/read_text.h"

#include <span>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

std::string read_text(const std::string& path, int64_t max_bytes, const std::string& what) {
  const ByteSourcePtr file = file_source(path);
  if (file->size() > max_bytes) throw CorruptFile(path + ": is too large for " + what);
  std::string text(static_cast<size_t>(file->size()), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(text)));
  return text;
}

std::string read_own_text(const std::string& path, int64_t max_bytes, const std::string& what) {
  const FileDescriptor file = open_regular(path);
  const int64_t size = file.size();
  if (size > max_bytes) throw CorruptFile(path + ": is too large for " + what);
  std::string text(static_cast<size_t>(size), ' ');
  file.read_at(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace plimsoll
