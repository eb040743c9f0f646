// Loss: how wrong predictions are, one value per sample, and how the values become one number. A
// value made from Keras's name ("mse"), by a kind of loss (MeanSquaredError, …), or from a
// function.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/place.h"
#include "plimsoll/graph/tensor.h"

namespace plimsoll {

class Fields;

// (y_true, y_pred) -> one value per sample (the last axis is reduced).
using LossFunction = std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)>;

// mean is Keras's other name for sum_over_batch_size: the sum of the weighted values divided by
// their number. mean_with_sample_weight divides by the sum of the weights.
enum class Reduction { sum_over_batch_size, sum, mean, mean_with_sample_weight, none };

// By Keras's name, "none" included; InvalidArgument lists the known names.
Reduction reduction(std::string_view name);

// The options of a loss that has no others.
struct LossOptions {
  std::string reduction = "sum_over_batch_size";
  std::string name = {};  // empty: Keras's for the kind
};
void describe(Fields& fields, LossOptions& options);

// The kind of targets that a loss takes.
struct LossTargets {
  enum class Kind {
    numbers,        // any numbers, as many as the output has
    probabilities,  // 0 to 1, one for each number of the output
    signs,          // -1 and 1, or 0 and 1 instead, one for each number of the output
    class_vectors,  // probabilities of classes: one-hot rows and the like
    class_numbers,  // one number of a class instead of such a row
    any_classes,    // one of the three above, by the shapes
  };

  Kind kind = Kind::numbers;
  int axis = -1;                        // of the output: the classes
  std::optional<int64_t> ignored = {};  // a class number that is taken and does not count

  bool are_probabilities() const {
    return kind == Kind::probabilities || kind == Kind::class_vectors;
  }
  bool are_classes() const { return kind == Kind::class_numbers || kind == Kind::class_vectors; }
};

class Loss {
 public:
  Loss() = default;
  // By Keras's name of the function or the class; InvalidArgument lists the known names.
  Loss(const char* name) : Loss(std::string_view(name)) {}
  Loss(const std::string& name) : Loss(std::string_view(name)) {}
  Loss(std::string_view name);
  // `mask`, if given, returns a bool tensor that says which of the values count.
  Loss(std::string name, LossFunction function,
       Reduction reduction = Reduction::sum_over_batch_size, LossFunction mask = {});

  bool defined() const { return function_ != nullptr; }
  const std::string& name() const { return name_; }
  Reduction reduction() const { return reduction_; }

  // A float32 scalar; with Reduction::none one value per sample. `sample_weight` is undefined, or
  // broadcasts to the values. Values that the mask of y_pred leaves out do not count.
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {},
                    Place where = Place::here()) const;
  // The loss is sum / divisor. Over the parts of a batch both add up.
  struct Sums {
    Tensor sum;
    Tensor divisor = {};  // undefined: `values`
    double values = 0;    // how many there are; 0: nothing divides
  };
  // InvalidArgument with Reduction::none.
  Sums sums(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {}) const;
  // One value per sample, before weights and reduction.
  Tensor values(const Tensor& y_true, const Tensor& y_pred, Place where = Place::here()) const;
  // Which of the values count, whatever the mask of y_pred says; undefined: all.
  Tensor value_mask(const Tensor& y_true, const Tensor& y_pred) const;

  // How a config names it: a class of Keras with its settings, and the name by which it was
  // requested.
  struct Origin {
    std::string_view class_name = {};  // empty: a function that a program made
    std::string name = {};             // "mse"; empty: made by its class
    std::function<void(Fields&)> settings = {};
  };
  const Origin& origin() const { return origin_; }
  // Data is prepared and checked by this. A function that a program made takes numbers.
  const LossTargets& targets() const { return targets_; }

 protected:
  void set_targets(const LossTargets& targets) { targets_ = targets; }
  Loss(Origin origin, std::string name, LossFunction function, Reduction reduction,
       LossFunction mask = {});

 private:
  std::string name_;
  LossFunction function_, mask_;
  Reduction reduction_ = Reduction::sum_over_batch_size;
  Origin origin_;
  LossTargets targets_;
};

// The values times the weights, reduced. Weights and mask may be undefined; with a mask, means
// divide by the number of values that count.
Tensor reduce_weighted(const Tensor& values, const Tensor& sample_weight, Reduction reduction,
                       const Tensor& mask = {});

// a / b, but 0 where b is 0.
Tensor divide_no_nan(const Tensor& a, const Tensor& b);

}  // namespace plimsoll
