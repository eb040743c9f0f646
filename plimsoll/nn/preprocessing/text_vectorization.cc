#include "plimsoll/nn/preprocessing/text_vectorization.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/preprocessing/documents.h"
#include "plimsoll/nn/preprocessing/index_lookup_body.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

using Lookup = IndexLookupBody<std::string>;

StringLookupOptions lookup_options(const TextVectorizationOptions& options) {
  return {.max_tokens = options.max_tokens,
          .mask_token = "",
          .vocabulary = options.vocabulary,
          .idf_weights = options.idf_weights,
          .output_mode = options.output_mode,
          .pad_to_max_tokens = options.pad_to_max_tokens,
          .vocabulary_size = options.vocabulary_size};
}

class TextVectorizationBody final : public LayerOf<TextVectorizationOptions>, public KeepsState {
 public:
  explicit TextVectorizationBody(const TextVectorizationOptions& options)
      : LayerOf(options), lookup_(make_layer<Lookup>(lookup_options(options))) {}

  std::string_view class_name() const override { return "TextVectorization"; }
  std::vector<Child> children() const override { return {{"_lookup_layer", lookup_}}; }
  State state() const override { return lookup().state(); }
  void set_state(const State& state) override { lookup().set_state(state); }
  State wanted_state() const override { return lookup().wanted_state(); }

  void validate() {
    tokenizer_.standardize = standardize();
    tokenizer_.split = split();
    tokenizer_.ngrams = widths();
    if (options_.output_mode == "one_hot")
      refuse("the output_mode 'one_hot' has no place for texts of several words");
    if (options_.output_mode != "int" && options_.output_sequence_length)
      refuse("output_sequence_length needs the output_mode 'int'");
    if (options_.output_sequence_length && *options_.output_sequence_length < 1)
      refuse(fmt::format("output_sequence_length must be at least 1, found {}",
                         *options_.output_sequence_length));
  }

  void config_fields(Fields& fields) const override {
    TextVectorizationOptions options = options_;
    Fields inner;
    lookup_->config_fields(inner);
    options.vocabulary_size = static_cast<int64_t>(lookup().vocabulary().size());
    if (inner.config()["vocabulary"].is_array()) {
      options.vocabulary = inner.config()["vocabulary"].get<std::vector<std::string>>();
      if (inner.config()["idf_weights"].is_array())
        options.idf_weights = inner.config()["idf_weights"].get<std::vector<double>>();
    }
    describe(fields, options);
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor rows = rows_of(inputs[0]);
    const bool counts = lookup().is_counted();
    const int64_t filler = counts ? kDroppedIndex : 0;
    const Tensor indices =
        token_indices(rows, tokenizer_, lookup().table(), options_.output_sequence_length, filler);
    return {counts ? lookup().encoded(indices) : indices};
  }

  void adapt(const Tensor& data) {
    const Tensor rows = rows_of(data);
    const int64_t texts = rows.shape()[rows.rank() - 2], slot = slot_bytes(rows.spec());
    std::vector<std::byte> scratch(
        static_cast<size_t>(TokenReader::scratch_bytes(tokenizer_, texts, slot)));
    TokenReader reader(tokenizer_, texts, slot, scratch.data());
    std::vector<std::vector<std::string>> documents;
    for (int64_t at = 0; at < rows.spec().bytes(); at += texts * slot) {
      std::vector<std::string>& document = documents.emplace_back();
      reader.read(rows.data() + at, [&](std::string_view token) {
        document.emplace_back(token);
        return true;
      });
    }
    lookup().adapt(documents);
  }

  Lookup& lookup() const { return static_cast<Lookup&>(*lookup_); }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].dtype != DType::string)
      refuse(fmt::format("takes text, found {}", name_of(inputs[0].dtype)));
    const Shape shape = shape_of_elements(inputs[0]);
    if (shape.rank() < 1 || (options_.split && shape.rank() > 1 && shape.back() != 1))
      refuse("splits texts, so it takes one for each sample, (batch) or (batch, 1); found " +
             shape.to_string());
  }

 private:
  // With an axis for the texts of a row. What is split has one text per row.
  Tensor rows_of(const Tensor& texts) const {
    return shape_of_elements(texts.spec()).rank() < 2 ? expand_dims(texts, -2) : texts;
  }

  Standardize standardize() const {
    if (!options_.standardize) return Standardize::none;
    for (const Standardize one : {Standardize::lower, Standardize::strip_punctuation,
                                  Standardize::lower_and_strip_punctuation})
      if (*options_.standardize == name_of(one)) return one;
    refuse(
        "standardize must be lower, strip_punctuation, lower_and_strip_punctuation or none; found "
        "'" +
        *options_.standardize + "'");
  }
  Split split() const {
    if (!options_.split) return Split::none;
    for (const Split one : {Split::whitespace, Split::character})
      if (*options_.split == name_of(one)) return one;
    refuse("split must be whitespace, character or none; found '" + *options_.split + "'");
  }
  // One number n means all widths from 1 to n.
  std::vector<int64_t> widths() const {
    std::vector<int64_t> widths = options_.ngrams;
    if (widths.size() == 1 && !options_.ngrams_are_widths) {
      widths.resize(static_cast<size_t>(std::clamp<int64_t>(widths[0], 0, 1000)));
      std::iota(widths.begin(), widths.end(), 1);
    }
    for (const int64_t width : widths)
      if (width < 1 || width > 1000)
        refuse(fmt::format("ngrams must be from 1 to 1000, found {}", width));
    return widths;
  }

  std::shared_ptr<LayerBody> lookup_;
  Tokenizer tokenizer_;
};

// A number, or a list of widths.
void describe_ngrams(Fields& fields, TextVectorizationOptions& options) {
  if (fields.reading()) {
    const Json* found = fields.find("ngrams");
    options.ngrams_are_widths = found != nullptr && found->is_array();
    return list_or_null(fields, "ngrams", options.ngrams);
  }
  const bool is_number = options.ngrams.size() == 1 && !options.ngrams_are_widths;
  fields.write("ngrams", options.ngrams.empty() ? Json()
                         : is_number            ? Json(options.ngrams[0])
                                                : Json(options.ngrams));
}

// A function of Python is refused by a sentence of its own.
void describe_word(Fields& fields, const char* key, std::optional<std::string>& value) {
  const Json* found = fields.find(key);
  if (found != nullptr && found->is_object())
    fields.refuse(std::string(key) + " is a function of Python, which is never run");
  fields.with(key, value);
}

}  // namespace

void describe(Fields& fields, TextVectorizationOptions& options) {
  fields.with("max_tokens", options.max_tokens);
  describe_word(fields, "standardize", options.standardize);
  describe_word(fields, "split", options.split);
  describe_ngrams(fields, options);
  fields.with("output_mode", options.output_mode)
      .with("output_sequence_length", options.output_sequence_length)
      .with("pad_to_max_tokens", options.pad_to_max_tokens)
      .only("sparse", false)
      .only("ragged", false);
  list_or_null(fields, "vocabulary", options.vocabulary);
  list_or_null(fields, "idf_weights", options.idf_weights);
  fields.only("encoding", "utf-8").with("vocabulary_size", options.vocabulary_size);
  if (fields.reading()) {
    fields.ignored("has_input_vocabulary");
    if (options.output_mode == "int" && !options.output_sequence_length)
      note_config(
          options.name +
          ": has no output_sequence_length; Keras pads each batch to its longest text, here "
          "every batch is padded alike, so layers that do not read masks see more zeros (with an "
          "output_sequence_length the numbers are the same)");
  }
}

TextVectorization::TextVectorization(const TextVectorizationOptions& options)
    : Layer(make_layer<TextVectorizationBody>(options)) {}

void TextVectorization::adapt(const Tensor& texts) const {
  static_cast<TextVectorizationBody&>(**this).adapt(texts);
}

std::vector<std::string> TextVectorization::vocabulary() const {
  return static_cast<TextVectorizationBody&>(**this).lookup().vocabulary();
}

}  // namespace plimsoll
