#include "plimsoll/base/sha256.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

std::string hash_of(const std::string& text) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(text)));
  return hash.finish();
}

// The examples of FIPS 180-4.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnTheParts) {
  const std::string text(300, 'x');
  Sha256 hash;
  for (size_t at = 0; at < text.size(); at += 7)
    hash.add(std::as_bytes(std::span(text)).subspan(at, std::min<size_t>(7, text.size() - at)));
  EXPECT_EQ(hash.finish(), hash_of(text));
}

TEST(Sha256, ReadsFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("a")) << "abc";
  EXPECT_EQ(sha256_of_file(folder.path("a")), hash_of("abc"));
}

}  // namespace
}  // namespace plimsoll
