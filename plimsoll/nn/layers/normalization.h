// Normalization: features shifted and scaled by a mean and a variance that are given, or learnt
// from data by adapt().
#pragma once

#include <optional>
#include <vector>

#include "plimsoll/nn/keras/number_or_list.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct NormalizationOptions {
  std::vector<int64_t> axis = {
      -1};  // axes whose elements each have a mean of their own; none: one mean for all
  std::optional<NumberOrList> mean = {};
  std::optional<NumberOrList> variance = {};
  bool invert = false;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, NormalizationOptions& options);

struct Normalization : Layer {
  explicit Normalization(const NormalizationOptions& options = {});
  // Sets mean and variance to those of the data, whose axis 0 is the sample.
  void adapt(const Tensor& data) const;
};

}  // namespace plimsoll
