#include "tests/support/tar_writer.h"

#include <cstdio>

namespace plimsoll::testing {
namespace {

void put(std::string& header, size_t at, const char* format, unsigned long value) {
  char text[16];
  const int size = std::snprintf(text, sizeof text, format, value);
  header.replace(at, static_cast<size_t>(size), text, static_cast<size_t>(size));
}

std::string header_of(const std::string& name, size_t size) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  put(header, 100, "%07lo", 0644);
  put(header, 124, "%011lo", size);
  put(header, 136, "%011lo", 0);
  header[156] = '0';
  header.replace(257, 8,
                 std::string("ustar\0"
                             "00",
                             8));
  unsigned long sum = 8 * ' ';
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(header, 148, "%06lo", sum);
  header[155] = ' ';
  return header;
}

}  // namespace

std::string tar_of(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string archive;
  for (const auto& [name, contents] : files) {
    archive += header_of(name, contents.size()) + contents;
    archive.resize((archive.size() + 511) / 512 * 512);
  }
  return archive + std::string(1024, '\0');
}

}  // namespace plimsoll::testing
