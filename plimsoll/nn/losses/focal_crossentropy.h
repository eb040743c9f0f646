// Crossentropies in which predictions that are right already count little.
#pragma once

#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

struct BinaryFocalCrossentropyOptions {
  bool apply_class_balancing = false;
  double alpha = 0.25;  // the weight of class 1, if balancing; 1 - alpha is that of class 0
  double gamma = 2;     // how fast a right prediction loses its weight
  bool from_logits = false;
  double label_smoothing = 0;
  int axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = "binary_focal_crossentropy";
};
void describe(Fields& fields, BinaryFocalCrossentropyOptions& options);

struct BinaryFocalCrossentropy : Loss {
  explicit BinaryFocalCrossentropy(const BinaryFocalCrossentropyOptions& options = {});
};

struct CategoricalFocalCrossentropyOptions {
  double alpha = 0.25;
  double gamma = 2;
  bool from_logits = false;
  double label_smoothing = 0;
  int axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = "categorical_focal_crossentropy";
};
void describe(Fields& fields, CategoricalFocalCrossentropyOptions& options);

struct CategoricalFocalCrossentropy : Loss {
  explicit CategoricalFocalCrossentropy(const CategoricalFocalCrossentropyOptions& options = {});
};

}  // namespace plimsoll
