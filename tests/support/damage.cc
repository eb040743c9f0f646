#include "tests/support/damage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

void expect_value_or_sentence(const std::string& bytes, const std::string& how,
                              const std::function<void(const std::string&)>& read) {
  try {
    read(bytes);
  } catch (const CorruptFile& error) {
    const std::string_view sentence = error.what();
    EXPECT_NE(sentence.find(": "), sentence.npos) << how << ": " << sentence;
    EXPECT_LT(sentence.size(), 500u) << how;
  } catch (const IoError&) {
  } catch (const std::exception& error) {
    ADD_FAILURE() << how << ": " << error.what();
  }
}

}  // namespace

std::vector<std::byte> to_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void expect_harmless_damage(const std::string& bytes,
                            const std::function<void(const std::string&)>& read, size_t most) {
  ASSERT_NO_THROW(read(bytes));
  const size_t step = std::max<size_t>(1, bytes.size() / most);
  for (size_t at = 0; at < bytes.size(); at += step) {
    expect_value_or_sentence(bytes.substr(0, at), "cut at byte " + std::to_string(at), read);
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      expect_value_or_sentence(
          flipped, "bit " + std::to_string(bit) + " of byte " + std::to_string(at), read);
    }
  }
}

}  // namespace plimsoll
