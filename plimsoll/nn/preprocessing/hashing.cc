#include "plimsoll/nn/preprocessing/hashing.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/nn/preprocessing/documents.h"
#include "plimsoll/nn/preprocessing/encode_indices.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

// Its index is 1 for the word, and 0 for all others.
template <class Word>
TablePtr<Word> table_of(const Word& word) {
  return std::make_shared<IndexTable<Word>>(typename IndexTable<Word>::Options{.words = {word}});
}

bool is_hashable(DType dtype) {
  return dtype == DType::string || dtype == DType::int32 || dtype == DType::int64;
}

class HashingBody final : public LayerOf<HashingOptions> {
 public:
  using LayerOf::LayerOf;
  void validate() {
    const std::string& mode = options_.output_mode;
    if (mode != "int" && mode != "one_hot" && mode != "multi_hot" && mode != "count")
      refuse("output_mode must be int, one_hot, multi_hot or count; found '" + mode + "'");
    if (options_.num_bins < 1)
      refuse(fmt::format("num_bins must be at least 1, found {}", options_.num_bins));
    if (options_.salt.size() == 1) options_.salt.push_back(options_.salt[0]);
    if (options_.salt.size() > 2) refuse("salt must be one number or two");
    if (!options_.mask_value) return;
    if (const auto* text = std::get_if<std::string>(&*options_.mask_value))
      mask_text_ = table_of(*text);
    else
      mask_number_ = table_of(std::get<int64_t>(*options_.mask_value));
  }
  std::string_view class_name() const override { return "Hashing"; }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = is_hashable(inputs[0].dtype()) ? inputs[0] : cast(inputs[0], DType::int64);
    const bool has_mask = options_.mask_value && options_.num_bins > 1;
    const int64_t bins = options_.num_bins - (has_mask ? 1 : 0);
    Tensor indices = hash_bins(x, bins, rule());
    if (has_mask) indices = multiply(add(indices, 1), subtract(1, is_mask(x)));
    return {encode_indices(indices, options_.output_mode, options_.num_bins)};
  }

 private:
  HashRule rule() const {
    if (options_.salt.empty()) return {};
    return {.salt = {{static_cast<uint64_t>(options_.salt[0]),
                      static_cast<uint64_t>(options_.salt[1])}}};
  }

  // 1 where the element is the mask, else 0.
  Tensor is_mask(const Tensor& x) const {
    const bool is_text = x.dtype() == DType::string;
    if (is_text != (mask_text_ != nullptr))
      refuse(fmt::format("mask_value is {}, the input is {}", is_text ? "a number" : "text",
                         name_of(x.dtype())));
    return is_text ? lookup_indices(x, mask_text_) : lookup_indices(x, mask_number_);
  }

  TablePtr<std::string> mask_text_;  // one of these is null
  TablePtr<int64_t> mask_number_;
};

class HashedCrossingBody final : public LayerOf<HashedCrossingOptions> {
 public:
  using LayerOf::LayerOf;
  void validate() const {
    if (options_.output_mode != "int" && options_.output_mode != "one_hot")
      refuse("output_mode must be int or one_hot, found '" + options_.output_mode + "'");
    if (options_.num_bins < 1)
      refuse(fmt::format("num_bins must be at least 1, found {}", options_.num_bins));
  }
  std::string_view class_name() const override { return "HashedCrossing"; }
  bool config_has_trainable() const override { return false; }
  int input_count() const override { return 0; }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {encode_indices(cross_bins(inputs, options_.num_bins), options_.output_mode,
                           options_.num_bins)};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs.size() < 2) refuse("takes a list of at least two tensors");
    const Shape first = shape_of_elements(inputs[0]);
    if (first.rank() > 2 || (first.rank() == 2 && first.back() != 1))
      refuse("takes one element per sample, (batch) or (batch, 1); found " + first.to_string());
    for (const Spec& input : inputs)
      if (!is_hashable(input.dtype))
        refuse(fmt::format("takes text or integers, found {}", name_of(input.dtype)));
  }
};

Json policy(const std::string& output_mode) {
  return keras_object("keras", "DTypePolicy",
                      {{"name", output_mode == "int" ? "int64" : "float32"}});
}

void describe_mask(Fields& fields, std::optional<std::variant<int64_t, std::string>>& mask) {
  if (!fields.reading()) {
    Json json;
    if (mask) std::visit([&](const auto& value) { json = value; }, *mask);
    return fields.write("mask_value", json);
  }
  const Json* found = fields.find("mask_value");
  if (found == nullptr) return mask.reset();
  if (found->is_string())
    mask = found->get<std::string>();
  else if (found->is_number())
    mask = found->get<int64_t>();
  else
    fields.refuse("mask_value must be a text or a whole number");
}

}  // namespace

void describe(Fields& fields, HashingOptions& options) {
  fields.with("num_bins", options.num_bins);
  list_or_null(fields, "salt", options.salt);
  describe_mask(fields, options.mask_value);
  fields.with("output_mode", options.output_mode).only("sparse", false);
  fields.write("dtype", policy(options.output_mode));
}

void describe(Fields& fields, HashedCrossingOptions& options) {
  fields.with("num_bins", options.num_bins)
      .with("output_mode", options.output_mode)
      .only("sparse", false);
  fields.write("dtype", options.output_mode == "int" ? "int64" : "float32");
}

Hashing::Hashing(const HashingOptions& options) : Layer(make_layer<HashingBody>(options)) {}

HashedCrossing::HashedCrossing(const HashedCrossingOptions& options)
    : Layer(make_layer<HashedCrossingBody>(options)) {}

}  // namespace plimsoll
