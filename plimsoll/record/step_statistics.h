// What a sampled training step showed of a model: one entry per layer, one per variable. Numbers
// that are not finite are left out of means and norms, and counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

// Equal bins between `least` and `largest`.
struct Histogram {
  double least = 0, largest = 0;
  std::vector<int64_t> counts = {};
};

// What a layer put out in the forward pass.
struct LayerStatistics {
  std::string layer = {};       // its path from the network on: "encoder/dense_1"
  std::string activation = {};  // "relu", "sigmoid", …; empty where the layer has none
  double mean = 0, deviation = 0, least = 0, largest = 0;
  double zero_share = 0;       // of all numbers
  double saturated_share = 0;  // of all numbers, at the flat ends of the activation
  double dead_unit_share = 0;  // of the units (the last axis): 0 for every sample of the batch
  int64_t not_finite = 0;
};

struct VariableStatistics {
  std::string layer = {};  // as above
  std::string name = {};   // "kernel"
  int64_t elements = 0;
  bool is_trained = false;   // the numbers below but `norm` are of trained ones alone
  double norm = 0;           // of the weights, as all norms here: the root of the sum of squares
  double gradient_norm = 0;  // as it reaches the optimizer, before it is clipped
  double update_norm = 0;    // of what the step added
  double gradient_zero_share = 0;
  int64_t not_finite = 0;  // in the gradient
  Histogram weights = {}, gradients = {};
};

struct StepStatistics {
  int64_t step = 0;   // from 0, over all epochs
  int64_t epoch = 0;  // from 0
  double loss = 0;    // the mean over the epoch so far
  double learning_rate = 0;
  std::vector<LayerStatistics> layers = {};
  std::vector<VariableStatistics> variables = {};
};

}  // namespace plimsoll
