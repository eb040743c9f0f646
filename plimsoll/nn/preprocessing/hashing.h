// Hashing and HashedCrossing: words, alone or together, become one of a fixed number of bins.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct HashingOptions {
  int64_t num_bins = 0;
  std::optional<std::variant<int64_t, std::string>> mask_value = {};  // bin 0 is for it alone
  std::vector<int64_t> salt = {};   // two numbers that change the hash
  std::string output_mode = "int";  // "int", "one_hot", "multi_hot", "count"
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, HashingOptions& options);
struct Hashing : Layer {
  explicit Hashing(const HashingOptions& options);
};

struct HashedCrossingOptions {
  int64_t num_bins = 0;
  std::string output_mode = "int";  // or "one_hot"
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, HashedCrossingOptions& options);
struct HashedCrossing : Layer {
  explicit HashedCrossing(const HashedCrossingOptions& options);
};

}  // namespace plimsoll
