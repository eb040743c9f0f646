// CategoryEncoding and Discretization: numbers become categories, and these become vectors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct CategoryEncodingOptions {
  int64_t num_tokens = 0;
  std::string output_mode = "multi_hot";  // "one_hot", "multi_hot", "count"
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, CategoryEncodingOptions& options);
struct CategoryEncoding : Layer {
  explicit CategoryEncoding(const CategoryEncodingOptions& options);
};

struct DiscretizationOptions {
  std::vector<double> bin_boundaries = {};  // sorted; a number on a boundary is in the upper bin
  std::optional<int64_t> num_bins = {};     // that adapt() makes
  double epsilon = 0.01;                    // how finely adapt() looks at the data
  std::string output_mode = "int";          // "int", "one_hot", "multi_hot", "count"
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, DiscretizationOptions& options);
struct Discretization : Layer {
  explicit Discretization(const DiscretizationOptions& options);
  // Finds boundaries between which there are about as many numbers of the data.
  void adapt(const Tensor& data) const;
  std::vector<double> bin_boundaries() const;
};

}  // namespace plimsoll
