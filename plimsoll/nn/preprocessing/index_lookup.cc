#include "plimsoll/nn/preprocessing/index_lookup.h"

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/preprocessing/documents.h"
#include "plimsoll/nn/preprocessing/index_lookup_body.h"

namespace plimsoll {
namespace {

template <class Word>
void describe_lookup(Fields& fields, IndexLookupOptions<Word>& options) {
  fields.with("invert", options.invert)
      .with("max_tokens", options.max_tokens)
      .with("num_oov_indices", options.num_oov_indices)
      .with("oov_token", options.oov_token)
      .with("mask_token", options.mask_token)
      .with("output_mode", options.output_mode)
      .only("sparse", false)
      .with("pad_to_max_tokens", options.pad_to_max_tokens);
  list_or_null(fields, "idf_weights", options.idf_weights);
  list_or_null(fields, "vocabulary", options.vocabulary);
  fields.with("vocabulary_size", options.vocabulary_size).with("oov_method", options.oov_method);
  list_or_null(fields, "salt", options.salt);
  if (fields.reading()) fields.ignored("has_input_vocabulary");
}

}  // namespace

void describe(Fields& fields, StringLookupOptions& options) {
  describe_lookup(fields, options);
  fields.only("encoding", "utf-8");
}

void describe(Fields& fields, IntegerLookupOptions& options) {
  describe_lookup(fields, options);
  fields.only("vocabulary_dtype", "int64");
}

StringLookup::StringLookup(const StringLookupOptions& options)
    : Layer(make_layer<IndexLookupBody<std::string>>(options)) {}

void StringLookup::adapt(const Tensor& data) const {
  static_cast<IndexLookupBody<std::string>&>(**this).adapt(text_documents(data));
}

std::vector<std::string> StringLookup::vocabulary() const {
  return static_cast<IndexLookupBody<std::string>&>(**this).vocabulary();
}

IntegerLookup::IntegerLookup(const IntegerLookupOptions& options)
    : Layer(make_layer<IndexLookupBody<int64_t>>(options)) {}

void IntegerLookup::adapt(const Tensor& data) const {
  static_cast<IndexLookupBody<int64_t>&>(**this).adapt(number_documents(data));
}

std::vector<int64_t> IntegerLookup::vocabulary() const {
  return static_cast<IndexLookupBody<int64_t>&>(**this).vocabulary();
}

}  // namespace plimsoll
