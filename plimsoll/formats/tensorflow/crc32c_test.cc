#include "plimsoll/formats/tensorflow/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plimsoll {
namespace {

uint32_t crc_of(const std::string& text) {
  return crc32c(std::as_bytes(std::span(text)));
}

// The first is the check value that catalogues of checksums give, the others are those of RFC 3720.
TEST(Crc32c, IsTheOneOfTheStandard) {
  EXPECT_EQ(crc_of("123456789"), 0xe3069283u);
  EXPECT_EQ(crc_of(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc_of(std::string(32, '\xff')), 0x62a8ab43u);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  EXPECT_EQ(crc_of(rising), 0x46dd794eu);
  EXPECT_EQ(crc_of(""), 0u);
}

TEST(Crc32c, IsTheSameWhereverTheBytesStand) {
  for (size_t shift = 0; shift < 8; ++shift) {
    const std::string text = std::string(shift, 'x') + "123456789";
    EXPECT_EQ(crc32c(std::as_bytes(std::span(text)).subspan(shift)), 0xe3069283u);
  }
}

}  // namespace
}  // namespace plimsoll
