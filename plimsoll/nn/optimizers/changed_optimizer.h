// Other settings for an optimizer that goes on with its state.
#pragma once

#include <optional>

#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

// The settings that are set replace those of the optimizer.
struct OptimizerChanges {
  std::optional<LearningRate> learning_rate = {};
  std::optional<double> weight_decay = {};
  // One of these at most; it replaces the way in which the optimizer clips.
  std::optional<double> clipnorm = {}, clipvalue = {}, global_clipnorm = {}, adaptive_clip = {},
                        clip_percentile = {};
  std::optional<int64_t> gradient_accumulation_steps = {};  // 1: none

  bool clips() const;  // in another way
  bool empty() const;
};

// A new optimizer of the same kind and name. It shares the count of steps and the slots with the
// old one, which must not be used any more. A schedule and the accumulation of gradients count
// steps from the first one on, so InvalidArgument if one of these changes after that.
Optimizer changed(const Optimizer& optimizer, const OptimizerChanges& changes);

}  // namespace plimsoll
