// Tokenizer: the tokens of a text, as Keras's TextVectorization finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/attribute_types.h"

namespace plimsoll {

enum class Standardize { none, lower, strip_punctuation, lower_and_strip_punctuation };
enum class Split { none, whitespace, character };
std::string_view name_of(Standardize standardize);
std::string_view name_of(Split split);

// Only ASCII has capitals, punctuation and spaces here, as in TensorFlow.
struct Tokenizer {
  Standardize standardize = Standardize::lower_and_strip_punctuation;
  Split split = Split::whitespace;
  std::vector<int64_t> ngrams = {};  // how many tokens are joined by a space; empty: none are

  bool operator==(const Tokenizer&) const = default;

  // How many words, before n-grams are made of them, a row of `texts` texts of at most `bytes`
  // bytes can have; and how many tokens after.
  int64_t most_words(int64_t texts, int64_t bytes) const;
  int64_t most_tokens(int64_t texts, int64_t bytes) const;
};

// Reads the tokens of rows of texts in scratch memory of a known size. One per thread.
class TokenReader {
 public:
  // Rows have `texts` slots of `slot_bytes`; the scratch is as large as scratch_bytes() says.
  TokenReader(const Tokenizer& tokenizer, int64_t texts, int64_t slot_bytes, std::byte* scratch);
  static int64_t scratch_bytes(const Tokenizer& tokenizer, int64_t texts, int64_t slot_bytes);

  // Calls visit(token) for each token of the row, in order, until it returns false.
  template <class Visit>
  void read(const std::byte* row, const Visit& visit) {
    find_words(row);
    if (tokenizer_.ngrams.empty()) {
      for (int64_t i = 0; i < word_count_; ++i)
        if (!visit(words_[i])) return;
    }
    for (const int64_t width : tokenizer_.ngrams)
      for (int64_t first = 0; first + width <= word_count_; ++first)
        if (!visit(joined(first, width))) return;
  }

 private:
  void find_words(const std::byte* row);
  void add(std::string_view text);
  void split_at_spaces(std::string_view text);
  void split_characters(std::string_view text);
  std::string_view joined(int64_t first, int64_t width) const;

  const Tokenizer& tokenizer_;
  int64_t texts_, slot_bytes_;
  std::string_view* words_;  // of the row
  int64_t word_count_ = 0;
  char* text_;  // standardized
  int64_t text_bytes_ = 0;
  char* joined_;  // one n-gram
};

template <>
struct AttributeType<Tokenizer> {
  static void sign(Signature& to, const Tokenizer& value) {
    to.add(value.standardize).add(value.split).add(std::span<const int64_t>(value.ngrams));
  }
  static std::string text(const Tokenizer& value);
  static void change(Tokenizer& value) { value.ngrams.push_back(2); }
};

}  // namespace plimsoll
