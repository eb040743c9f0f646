#include "tests/support/png_writer.h"

#include <zlib.h>

namespace plimsoll::testing {
namespace {

std::string big_endian(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

std::string chunk(const std::string& type, const std::string& body) {
  const std::string checked = type + body;
  const uLong crc = crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(checked.data()),
                          static_cast<uInt>(checked.size()));
  return big_endian(static_cast<uint32_t>(body.size())) + checked +
         big_endian(static_cast<uint32_t>(crc));
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string into(size, ' ');
  compress(reinterpret_cast<Bytef*>(into.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
  into.resize(size);
  return into;
}

}  // namespace

std::string png_file(int width, int height, const std::vector<uint8_t>& samples,
                     PngColours colours) {
  const size_t stride = samples.size() / static_cast<size_t>(height);
  std::string rows;
  for (size_t y = 0; y < static_cast<size_t>(height); ++y) {
    rows += '\0';  // no filter
    rows.append(reinterpret_cast<const char*>(samples.data()) + y * stride, stride);
  }
  const std::string head = big_endian(static_cast<uint32_t>(width)) +
                           big_endian(static_cast<uint32_t>(height)) + '\x08' +
                           static_cast<char>(colours) + std::string(3, '\0');
  std::string file = "\x89PNG\r\n\x1a\n" + chunk("IHDR", head);
  if (colours == PngColours::palette) {
    std::string palette;
    for (int i = 0; i < 256; ++i)
      palette += {static_cast<char>(255 - i), static_cast<char>(i / 2), static_cast<char>(7)};
    file += chunk("PLTE", palette);
  }
  return file + chunk("IDAT", deflated(rows)) + chunk("IEND", "");
}

}  // namespace plimsoll::testing
