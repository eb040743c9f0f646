// What an optimizer does to one weight, in one pass over weight, gradient and slots.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

enum class UpdateRule { sgd, rmsprop, adam };

// Inputs: weight, gradient, slots, learning rate, then gradient scale and weight decay if there are
// any. Outputs: weight and slots, each of which may be written over its input.
struct UpdateForm {
  UpdateRule rule = UpdateRule::sgd;
  int slots = 0;
  bool has_gradient_scale = false, has_weight_decay = false;
  double clip_value = 0;          // 0: does not clip
  double momentum = 0;            // sgd, rmsprop
  bool nesterov = false;          // sgd
  double rho = 0;                 // rmsprop
  bool centered = false;          // rmsprop
  double beta_1 = 0, beta_2 = 0;  // adam
  bool amsgrad = false;           // adam
  double epsilon = 0;             // rmsprop, adam
};

KernelPtr make_update(const KernelRequest& request, const UpdateForm& form);

}  // namespace plimsoll::kernels
