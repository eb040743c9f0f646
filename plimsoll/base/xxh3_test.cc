#include "plimsoll/base/xxh3.h"

#include <gtest/gtest.h>

#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

TEST(Xxh3, IsThatOfXxhsum) {
  EXPECT_EQ(xxh3_of(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(xxh3_of("abc"), "06b05ab6733a618578af5f94892f3950");
}

TEST(Xxh3, OfPiecesIsThatOfTheWhole) {
  Xxh3 hash;
  EXPECT_EQ(hash.text(), xxh3_of(""));
  std::string whole;
  for (int i = 0; i < 300; ++i) {
    hash.add(std::string(i, 'a'));
    whole += std::string(i, 'a');
    EXPECT_EQ(hash.text(), xxh3_of(whole)) << i;
  }
}

TEST(Xxh3, OfAFileIsThatOfItsContents) {
  const TemporaryFolder folder;
  const std::string contents(3'000'000, 'x');
  std::ofstream(folder.path("a")) << contents;
  EXPECT_EQ(xxh3_of_file(folder.path("a")), xxh3_of(contents));
  EXPECT_NE(xxh3_of(contents), xxh3_of(contents + "x"));
  EXPECT_THROW(xxh3_of_file(folder.path("b")), IoError);
}

}  // namespace
}  // namespace plimsoll
