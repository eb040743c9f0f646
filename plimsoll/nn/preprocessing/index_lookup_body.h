// The body of StringLookup and IntegerLookup, which TextVectorization has inside, too.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/nn/layers/layer_state.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/nn/preprocessing/index_lookup_options.h"
#include "plimsoll/ops/text/index_table.h"

namespace plimsoll {

template <class Word>
class IndexLookupBody final : public LayerOf<IndexLookupOptions<Word>>, public KeepsState {
 public:
  using Options = IndexLookupOptions<Word>;
  explicit IndexLookupBody(const Options& options) : LayerOf<Options>(options) {}

  void validate();
  std::string_view class_name() const override;
  void config_fields(Fields& fields) const override;
  Tensors call(const Tensors& inputs, const CallContext& context) override;
  State state() const override;
  void set_state(const State& state) override;
  State wanted_state() const override;

  // InvalidArgument where the words cannot be a vocabulary. They may begin with the mask and the
  // unknown; `idf`, for "tf_idf" alone, is as long as they are.
  void set_vocabulary(std::vector<Word> words, std::vector<float> idf);
  // Documents of words.
  void adapt(const std::vector<std::vector<Word>>& documents);
  std::vector<Word> vocabulary() const;

  // The table, or an empty one while only shapes are asked for; without a vocabulary it refuses.
  TablePtr<Word> table() const;
  // The output of a layer whose tokens have these indices.
  Tensor encoded(const Tensor& indices) const;
  // Of every vector.
  int64_t depth() const;
  bool takes_text() const;
  bool is_counted() const { return this->options_.output_mode != "int"; }

 private:
  int64_t first_unknown() const;
  int64_t first_word() const;
  std::vector<Word> special_words() const;
  void make_table(std::vector<Word> words);
  bool is_written_to_config() const;

  std::vector<Word> words_;  // without the special ones
  std::vector<float> idf_;   // by index
  TablePtr<Word> table_;     // null without a vocabulary
};

}  // namespace plimsoll
