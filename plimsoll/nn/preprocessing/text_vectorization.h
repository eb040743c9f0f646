// TextVectorization: texts become the numbers of their words, or vectors that count them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct TextVectorizationOptions {
  std::optional<int64_t> max_tokens = {};
  // "lower", "strip_punctuation", both, or none. Only ASCII changes.
  std::optional<std::string> standardize = "lower_and_strip_punctuation";
  std::optional<std::string> split = "whitespace";  // or "character", or none
  std::vector<int64_t> ngrams = {};  // {2}: words and pairs of them; {1, 3}: words and triples
  bool ngrams_are_widths = false;    // {2}: pairs alone
  std::string output_mode = "int";   // "int", "multi_hot", "count", "tf_idf"
  // Of "int": longer texts are cut, shorter ones end in zeros. Without it a text has as many places
  // as texts of its slot can have words, while Keras has those of the longest text of each batch.
  std::optional<int64_t> output_sequence_length = {};
  bool pad_to_max_tokens = false;
  std::vector<std::string> vocabulary = {};  // empty: adapt() finds it, or a model file has it
  std::vector<double> idf_weights = {};
  std::optional<int64_t> vocabulary_size = {};  // as a file says before its vocabulary is read
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, TextVectorizationOptions& options);

struct TextVectorization : Layer {
  explicit TextVectorization(const TextVectorizationOptions& options = {});
  // Takes the tokens of the texts for its vocabulary, as StringLookup::adapt does.
  void adapt(const Tensor& texts) const;
  std::vector<std::string> vocabulary() const;
};

}  // namespace plimsoll
