#include "plimsoll/train/files/file_kind.h"

#include <algorithm>
#include <string_view>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

FileKind kind_of_file(const std::string& path) {
  const ByteSourcePtr source = file_source(path);
  std::string head(static_cast<size_t>(std::min<int64_t>(source->size(), 16)), ' ');
  source->read_at(0, std::as_writable_bytes(std::span(head)));
  const std::string_view text = head;
  if (text.starts_with("PK")) return FileKind::zip;
  if (text.starts_with("\x89HDF")) return FileKind::hdf5;
  // Eight bytes of size, then the header.
  if (text.size() > 8 && text[8] == '{' && text[7] == '\0') return FileKind::safetensors;
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] == '{') return FileKind::json;
  return FileKind::unknown;
}

}  // namespace plimsoll
