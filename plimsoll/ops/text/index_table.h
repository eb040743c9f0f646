// IndexTable: the index of each word of a vocabulary, and what becomes of words that are not in it.
// Immutable, so that ops and compiled steps share it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "plimsoll/graph/attribute_types.h"

namespace plimsoll {

// How words get one of several indices: by their number (only numbers have one), or by a hash.
struct HashRule {
  bool is_modulo = false;
  std::optional<std::array<uint64_t, 2>> salt = {};

  bool operator==(const HashRule&) const = default;
};

// The bin of a text, or of a number as its digits are written.
int64_t bin_of(std::string_view text, int64_t bins, const HashRule& rule);
int64_t bin_of(int64_t number, int64_t bins, const HashRule& rule);

// The index of what is not counted: no encoding has a place for it.
inline constexpr int64_t kDroppedIndex = std::numeric_limits<int64_t>::max();

// Word is std::string or int64_t.
template <class Word>
class IndexTable {
 public:
  using View = std::conditional_t<std::is_same_v<Word, std::string>, std::string_view, int64_t>;

  struct Options {
    std::vector<Word> words = {};   // different ones; the first has the index after the unknown
    std::optional<Word> mask = {};  // the word that stands for nothing
    int64_t mask_index = 0;         // its index
    int64_t first_unknown = 0;      // words that are not in the vocabulary have the indices
    int64_t unknown = 1;            // [first_unknown, first_unknown + unknown)
    Word unknown_word = {};         // the word of every index that has none
    HashRule hash = {};             // chooses among several
  };

  explicit IndexTable(Options options);
  IndexTable(const IndexTable&) = delete;
  IndexTable& operator=(const IndexTable&) = delete;

  // None where the word is not in the vocabulary and there is no index for such words.
  std::optional<int64_t> index_of(View word) const;
  // The mask at its index, and the word for unknown ones where the vocabulary has none.
  View word_at(int64_t index) const;
  int64_t first_index() const { return options_.first_unknown + options_.unknown; }
  int64_t size() const { return static_cast<int64_t>(options_.words.size()); }
  // Of the longest that word_at() returns.
  int64_t longest_word_bytes() const;

 private:
  Options options_;
  std::unordered_map<View, int64_t> indices_;  // views of options_.words
};

using TextTable = IndexTable<std::string>;
using NumberTable = IndexTable<int64_t>;
template <class Word>
using TablePtr = std::shared_ptr<const IndexTable<Word>>;

// Two ops are the same only if they share the table.
template <class Word>
struct AttributeType<TablePtr<Word>> {
  static void sign(Signature& to, const TablePtr<Word>& table) {
    to.add(reinterpret_cast<intptr_t>(table.get()));
  }
  static std::string text(const TablePtr<Word>& table) {
    return attribute_text(table == nullptr ? int64_t{0} : table->size());
  }
  static void change(TablePtr<Word>& table) { table = nullptr; }
};

}  // namespace plimsoll
