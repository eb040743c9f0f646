// JudgedOutput: how a prediction is compared with its target.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/train/model.h"

namespace plimsoll {

class JudgedOutput {
 public:
  enum class Kind { classes, two_classes, numbers };

  // None where the only output, of `width` numbers, is not judged by a loss that is known, or where
  // the model has several outputs.
  static std::optional<JudgedOutput> of(const Model& model, int64_t width);

  struct Verdict {
    int64_t actual = 0, predicted = 0;  // classes
    double error = 0;                   // the loss of a class, or the distance of numbers
  };
  // None where a number is not finite or a class does not exist.
  std::optional<Verdict> judge(std::span<const double> predicted,
                               std::span<const double> target) const;

  bool is_of_classes() const { return kind_ != Kind::numbers; }
  int64_t classes() const { return kind_ == Kind::two_classes ? 2 : width_; }

 private:
  JudgedOutput(Kind kind, int64_t width, bool are_logits)
      : kind_(kind), width_(width), are_logits_(are_logits) {}
  // Of each class.
  std::vector<double> probabilities(std::span<const double> predicted) const;

  Kind kind_;
  int64_t width_;
  bool are_logits_;
};

}  // namespace plimsoll
