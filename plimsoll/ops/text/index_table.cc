#include "plimsoll/ops/text/index_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "plimsoll/ops/text/text_hash.h"

namespace plimsoll {

int64_t bin_of(std::string_view text, int64_t bins, const HashRule& rule) {
  const uint64_t hash = rule.salt ? sip_hash(text, *rule.salt) : fingerprint64(text);
  return static_cast<int64_t>(hash % static_cast<uint64_t>(bins));
}

int64_t bin_of(int64_t number, int64_t bins, const HashRule& rule) {
  if (rule.is_modulo) return (number % bins + bins) % bins;
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  return bin_of(std::string_view(digits.data(), end), bins, rule);
}

template <class Word>
IndexTable<Word>::IndexTable(Options options) : options_(std::move(options)) {
  indices_.reserve(options_.words.size());
  for (size_t i = 0; i < options_.words.size(); ++i)
    indices_.emplace(options_.words[i], first_index() + static_cast<int64_t>(i));
}

template <class Word>
std::optional<int64_t> IndexTable<Word>::index_of(View word) const {
  if (options_.mask && word == View(*options_.mask)) return options_.mask_index;
  const auto found = indices_.find(word);
  if (found != indices_.end()) return found->second;
  if (options_.unknown == 0) return std::nullopt;
  if (options_.unknown == 1) return options_.first_unknown;
  return options_.first_unknown + bin_of(word, options_.unknown, options_.hash);
}

template <class Word>
typename IndexTable<Word>::View IndexTable<Word>::word_at(int64_t index) const {
  if (options_.mask && index == options_.mask_index) return *options_.mask;
  const int64_t place = index - first_index();
  if (index < 0 || place < 0 || place >= size()) return options_.unknown_word;
  return options_.words[static_cast<size_t>(place)];
}

template <class Word>
int64_t IndexTable<Word>::longest_word_bytes() const {
  if constexpr (std::is_same_v<Word, std::string>) {
    size_t longest = options_.unknown_word.size();
    if (options_.mask) longest = std::max(longest, options_.mask->size());
    for (const std::string& word : options_.words) longest = std::max(longest, word.size());
    return static_cast<int64_t>(longest);
  } else {
    return sizeof(Word);
  }
}

template class IndexTable<std::string>;
template class IndexTable<int64_t>;

}  // namespace plimsoll
