#include "plimsoll/ops/text/tokenizer.h"

#include <algorithm>

#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

struct Character {
  size_t bytes;
  bool is_good;
};

// The range of the second byte is what keeps surrogates, long forms and what is above U+10FFFF out.
bool is_second(unsigned char first, unsigned char second) {
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

// The character that the text begins with. Bytes that begin one but do not end it are one bad
// character together.
Character first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {1, true};
  const size_t size = first >= 0xc2 && first <= 0xdf   ? 2
                      : first >= 0xe0 && first <= 0xef ? 3
                      : first >= 0xf0 && first <= 0xf4 ? 4
                                                       : 0;
  if (size == 0 || text.size() < 2 || !is_second(first, byte(1))) return {1, false};
  size_t found = 2;
  while (found < size && found < text.size() && (byte(found) & 0xc0) == 0x80) ++found;
  return {found, found == size};
}

}  // namespace

std::string_view name_of(Standardize standardize) {
  switch (standardize) {
    case Standardize::lower:
      return "lower";
    case Standardize::strip_punctuation:
      return "strip_punctuation";
    case Standardize::lower_and_strip_punctuation:
      return "lower_and_strip_punctuation";
    default:
      return "none";
  }
}

std::string_view name_of(Split split) {
  return split == Split::whitespace  ? "whitespace"
         : split == Split::character ? "character"
                                     : "none";
}

int64_t Tokenizer::most_words(int64_t texts, int64_t bytes) const {
  if (split == Split::whitespace) return texts * ((bytes + 1) / 2);
  return split == Split::character ? texts * bytes : texts;
}

int64_t Tokenizer::most_tokens(int64_t texts, int64_t bytes) const {
  const int64_t words = most_words(texts, bytes);
  if (ngrams.empty()) return words;
  int64_t all = 0;
  for (const int64_t width : ngrams) all += std::max<int64_t>(words - width + 1, 0);
  return all;
}

int64_t TokenReader::scratch_bytes(const Tokenizer& tokenizer, int64_t texts, int64_t slot_bytes) {
  const int64_t words = tokenizer.most_words(texts, slot_bytes);
  // A bad character becomes one of three bytes, and a space comes between two words.
  const int64_t joined = 3 * texts * slot_bytes + words;
  return words * static_cast<int64_t>(sizeof(std::string_view)) + texts * slot_bytes + joined;
}

TokenReader::TokenReader(const Tokenizer& tokenizer, int64_t texts, int64_t slot_bytes,
                         std::byte* scratch)
    : tokenizer_(tokenizer),
      texts_(texts),
      slot_bytes_(slot_bytes),
      words_(reinterpret_cast<std::string_view*>(scratch)),
      text_(reinterpret_cast<char*>(words_ + tokenizer.most_words(texts, slot_bytes))),
      joined_(text_ + texts * slot_bytes) {}

void TokenReader::find_words(const std::byte* row) {
  word_count_ = text_bytes_ = 0;
  for (int64_t i = 0; i < texts_; ++i) add(text_in(row + i * slot_bytes_, slot_bytes_));
}

void TokenReader::add(std::string_view text) {
  const Standardize how = tokenizer_.standardize;
  const bool lowers = how == Standardize::lower || how == Standardize::lower_and_strip_punctuation;
  const bool strips =
      how == Standardize::strip_punctuation || how == Standardize::lower_and_strip_punctuation;
  const int64_t begin = text_bytes_;
  for (const char c : text)
    if (!strips || !is_punctuation(c))
      text_[text_bytes_++] = lowers && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::string_view standardized(text_ + begin, static_cast<size_t>(text_bytes_ - begin));
  switch (tokenizer_.split) {
    case Split::whitespace:
      return split_at_spaces(standardized);
    case Split::character:
      return split_characters(standardized);
    case Split::none:
      words_[word_count_++] = standardized;
  }
}

void TokenReader::split_at_spaces(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t begin = at;
    while (at < text.size() && !is_space(text[at])) ++at;
    if (at > begin) words_[word_count_++] = text.substr(begin, at - begin);
    while (at < text.size() && is_space(text[at])) ++at;
  }
}

void TokenReader::split_characters(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    words_[word_count_++] = character.is_good ? text.substr(0, character.bytes) : kReplacement;
    text.remove_prefix(character.bytes);
  }
}

std::string_view TokenReader::joined(int64_t first, int64_t width) const {
  if (width == 1) return words_[first];
  char* end = joined_;
  for (int64_t i = 0; i < width; ++i) {
    if (i > 0) *end++ = ' ';
    end = std::ranges::copy(words_[first + i], end).out;
  }
  return {joined_, static_cast<size_t>(end - joined_)};
}

std::string AttributeType<Tokenizer>::text(const Tokenizer& value) {
  return attribute_text(std::vector<std::string>{attribute_text(name_of(value.standardize)),
                                                 attribute_text(name_of(value.split)),
                                                 list_text(value.ngrams)});
}

}  // namespace plimsoll
