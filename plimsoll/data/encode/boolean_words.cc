#include "plimsoll/data/encode/boolean_words.h"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll {

std::optional<bool> boolean_word(std::string_view text) {
  constexpr std::array<std::string_view, 5> kYes = {"yes", "true", "y", "t", "on"};
  constexpr std::array<std::string_view, 5> kNo = {"no", "false", "n", "f", "off"};
  constexpr size_t kLongest = 5;
  if (text.size() > kLongest) return std::nullopt;
  std::string word(text);
  std::ranges::transform(word, word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (std::ranges::find(kYes, word) != kYes.end()) return true;
  if (std::ranges::find(kNo, word) != kNo.end()) return false;
  return std::nullopt;
}

}  // namespace plimsoll
