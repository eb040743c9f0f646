// The options of StringLookup and IntegerLookup.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

class Fields;

template <class Word>
Word usual_oov_token();
template <>
inline std::string usual_oov_token() {
  return "[UNK]";
}
template <>
inline int64_t usual_oov_token() {
  return -1;
}

template <class Word>
struct IndexLookupOptions {
  // At most this many indices, those for unknown words and the mask among them.
  std::optional<int64_t> max_tokens = {};
  // Words that are not in the vocabulary share so many indices, chosen by a hash; without any, such
  // a word is an error.
  int64_t num_oov_indices = 1;
  // This word has the index 0, or is not counted by modes other than "int".
  std::optional<Word> mask_token = {};
  // With `invert`: what an index without a word becomes.
  Word oov_token = usual_oov_token<Word>();
  std::vector<Word> vocabulary = {};  // empty: adapt() finds it, or a model file has it
  std::vector<double> idf_weights = {};
  bool invert = false;              // numbers become words
  std::string output_mode = "int";  // "int", "one_hot", "multi_hot", "count", "tf_idf"
  bool pad_to_max_tokens = false;   // vectors have max_tokens elements, however few words there are
  std::string oov_method = "floormod";          // of integers: or "farmhash"
  std::vector<int64_t> salt = {};               // two numbers that change the hash
  std::optional<int64_t> vocabulary_size = {};  // as a file says before its vocabulary is read
  std::string name = {};
  bool trainable = true;
};

using StringLookupOptions = IndexLookupOptions<std::string>;
using IntegerLookupOptions = IndexLookupOptions<int64_t>;
void describe(Fields& fields, StringLookupOptions& options);
void describe(Fields& fields, IntegerLookupOptions& options);

}  // namespace plimsoll
