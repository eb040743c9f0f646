#include "plimsoll/nn/preprocessing/categories.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/nn/preprocessing/documents.h"
#include "plimsoll/nn/preprocessing/encode_indices.h"
#include "plimsoll/nn/preprocessing/quantiles.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/text/text.h"

namespace plimsoll {
namespace {

Tensor as_indices(const Tensor& x) {
  return x.dtype() == DType::int32 || x.dtype() == DType::int64 ? x : cast(x, DType::int64);
}

class CategoryEncodingBody final : public LayerOf<CategoryEncodingOptions> {
 public:
  using LayerOf::LayerOf;
  void validate() {
    if (options_.output_mode == "binary") options_.output_mode = "multi_hot";
    const std::string& mode = options_.output_mode;
    if (mode != "one_hot" && mode != "multi_hot" && mode != "count")
      refuse("output_mode must be one_hot, multi_hot or count; found '" + mode + "'");
    if (options_.num_tokens < 1)
      refuse(fmt::format("num_tokens must be at least 1, found {}", options_.num_tokens));
  }
  std::string_view class_name() const override { return "CategoryEncoding"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {encode_indices(as_indices(inputs[0]), options_.output_mode, options_.num_tokens)};
  }
};

class DiscretizationBody final : public LayerOf<DiscretizationOptions> {
 public:
  using LayerOf::LayerOf;
  void validate() const {
    static const std::set<std::string> kModes = {"int", "one_hot", "multi_hot", "count"};
    if (!kModes.contains(options_.output_mode))
      refuse(fmt::format("output_mode must be one of {}, found '{}'", fmt::join(kModes, ", "),
                         options_.output_mode));
    if (options_.bin_boundaries.empty() && !options_.num_bins)
      refuse("needs bin_boundaries, or num_bins and adapt()");
    if (options_.num_bins && (*options_.num_bins < 1 || *options_.num_bins > kMostBins))
      refuse(fmt::format("num_bins must be from 1 to {}, found {}", kMostBins, *options_.num_bins));
    if (!(options_.epsilon > 1e-6 && options_.epsilon <= 1))
      refuse(fmt::format("epsilon must be over 1e-6 and at most 1, found {}", options_.epsilon));
    if (!std::ranges::is_sorted(options_.bin_boundaries)) refuse("bin_boundaries must be sorted");
  }
  std::string_view class_name() const override { return "Discretization"; }
  bool config_has_trainable() const override { return false; }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const std::vector<double>& boundaries = options_.bin_boundaries;
    if (boundaries.empty() && options_.num_bins.value_or(0) != 1)
      refuse("has no boundaries; call adapt(), or give it bin_boundaries");
    return {encode_indices(bucketize(as_float(inputs[0]), boundaries), options_.output_mode,
                           std::ssize(boundaries) + 1)};
  }

  void adapt(const Tensor& data) {
    if (!options_.num_bins) refuse("has bin_boundaries already; give num_bins to adapt it");
    options_.bin_boundaries =
        quantiles(as_float(data).to_vector(), *options_.num_bins, options_.epsilon);
  }
  const std::vector<double>& boundaries() const { return options_.bin_boundaries; }

 private:
  static constexpr int64_t kMostBins = 1 << 24;
};

}  // namespace

void describe(Fields& fields, CategoryEncodingOptions& options) {
  fields.with("num_tokens", options.num_tokens).with("output_mode", options.output_mode);
  if (fields.reading()) fields.only("sparse", false);
}

void describe(Fields& fields, DiscretizationOptions& options) {
  list_or_null(fields, "bin_boundaries", options.bin_boundaries);
  fields.with("num_bins", options.num_bins)
      .with("epsilon", options.epsilon)
      .with("output_mode", options.output_mode)
      .only("sparse", false);
  fields.write("dtype", "float32");
}

CategoryEncoding::CategoryEncoding(const CategoryEncodingOptions& options)
    : Layer(make_layer<CategoryEncodingBody>(options)) {}

Discretization::Discretization(const DiscretizationOptions& options)
    : Layer(make_layer<DiscretizationBody>(options)) {}

void Discretization::adapt(const Tensor& data) const {
  static_cast<DiscretizationBody&>(**this).adapt(data);
}

std::vector<double> Discretization::bin_boundaries() const {
  return static_cast<DiscretizationBody&>(**this).boundaries();
}

}  // namespace plimsoll
