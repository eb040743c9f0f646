// One pass of an optimizer over a range of a weight.
#pragma once

#include "plimsoll/kernels/update/update_form.h"

namespace plimsoll::kernels {

// The memory that a pass reads and writes, and the scalars of this step.
struct UpdatePass {
  static constexpr int kMostSlots = 3;
  static constexpr int kMostRuleScalars = 2;

  const UpdateForm* form = nullptr;
  const float* weight = nullptr;
  const float* gradient = nullptr;
  const float* slots[kMostSlots] = {};
  float* new_weight = nullptr;
  float* new_slots[kMostSlots] = {};
  float learning_rate = 0, gradient_scale = 1, weight_decay = 0;
  float rule_scalars[kMostRuleScalars] = {};
};

}  // namespace plimsoll::kernels
