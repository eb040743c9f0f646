#include "tests/support/deflated_zip.h"

#include <zlib.h>

#include "plimsoll/formats/archives/zip_headers.h"

namespace plimsoll::testing {
namespace {

std::string deflated(const std::string& contents) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
               Z_DEFAULT_STRATEGY);
  std::string bytes(deflateBound(&stream, contents.size()), ' ');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

uint32_t checksum_of(const std::string& contents) {
  const auto* begin = reinterpret_cast<const Bytef*>(contents.data());
  return static_cast<uint32_t>(crc32_z(0, begin, contents.size()));
}

}  // namespace

std::string deflated_zip(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string archive, directory;
  for (const auto& [name, contents] : entries) {
    const std::string stored = deflated(contents);
    const ZipEntry entry{.name = name,
                         .size = std::ssize(contents),
                         .stored_size = std::ssize(stored),
                         .method = 8,
                         .checksum = checksum_of(contents),
                         .header_offset = std::ssize(archive)};
    archive += zip_local_header(entry) + stored;
    directory += zip_central_header(entry);
  }
  return archive + directory +
         zip_end(std::ssize(entries), std::ssize(archive), std::ssize(directory));
}

}  // namespace plimsoll::testing
