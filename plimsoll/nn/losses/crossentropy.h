// Losses of classification. Predictions are probabilities, or logits if from_logits says so. Where
// they are the output of a softmax (a sigmoid), the loss is computed from its input, which is exact
// where probabilities round to 0 or 1; otherwise they are kept 1e-7 away from both, as in Keras.
#pragma once

#include <optional>

#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

struct BinaryCrossentropyOptions {
  bool from_logits = false;
  double label_smoothing = 0;  // targets are drawn towards 0.5 by this share
  int axis = -1;               // that is averaged
  std::string reduction = "sum_over_batch_size";
  std::string name = "binary_crossentropy";
};
void describe(Fields& fields, BinaryCrossentropyOptions& options);

// Each output is a class by itself; y_true has the shape of y_pred.
struct BinaryCrossentropy : Loss {
  explicit BinaryCrossentropy(const BinaryCrossentropyOptions& options = {});
};

struct CategoricalCrossentropyOptions {
  bool from_logits = false;
  double label_smoothing = 0;  // targets are drawn towards 1 / classes by this share
  int axis = -1;               // of the classes
  std::string reduction = "sum_over_batch_size";
  std::string name = "categorical_crossentropy";
};
void describe(Fields& fields, CategoricalCrossentropyOptions& options);

// y_true holds one probability per class (one-hot rows) and has the shape of y_pred.
struct CategoricalCrossentropy : Loss {
  explicit CategoricalCrossentropy(const CategoricalCrossentropyOptions& options = {});
};

struct SparseCategoricalCrossentropyOptions {
  bool from_logits = false;
  std::optional<int64_t> ignore_class = {};  // samples of this class do not count
  int axis = -1;                             // of the classes
  std::string reduction = "sum_over_batch_size";
  std::string name = "sparse_categorical_crossentropy";
};
void describe(Fields& fields, SparseCategoricalCrossentropyOptions& options);

// y_true holds class numbers, of any dtype, and has the shape of y_pred without its last axis (or
// with one element there).
struct SparseCategoricalCrossentropy : Loss {
  explicit SparseCategoricalCrossentropy(const SparseCategoricalCrossentropyOptions& options = {});
};

// One value per sample.
Tensor binary_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits = false,
                           double label_smoothing = 0, int axis = -1);
Tensor categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred,
                                bool from_logits = false, double label_smoothing = 0,
                                int axis = -1);
Tensor sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred,
                                       bool from_logits = false,
                                       std::optional<int64_t> ignore_class = {}, int axis = -1);
// The one of the three that matches the shapes; compile() uses it for "crossentropy".
Tensor crossentropy_by_shapes(const Tensor& y_true, const Tensor& y_pred);

}  // namespace plimsoll
