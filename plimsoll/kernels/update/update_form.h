// Which rule an optimizer follows, its settings, and the tensors that an update reads and writes.
#pragma once

namespace plimsoll::kernels {

enum class UpdateRule { sgd, rmsprop, adam, adagrad, adadelta, nadam, adamax, lion, ftrl };

// Inputs: weight, gradient, slots, learning rate, the scalars of the rule, then gradient scale,
// weight decay and switch if there are any. Outputs: weight and slots, each of which may be written
// over its input. Where the switch is 0, they are the inputs.
struct UpdateForm {
  UpdateRule rule = UpdateRule::sgd;
  int slots = 0;
  int rule_scalars = 0;
  bool has_gradient_scale = false, has_weight_decay = false, has_switch = false;
  double clip_value = 0;          // 0: does not clip
  double momentum = 0;            // sgd, rmsprop
  bool nesterov = false;          // sgd
  double rho = 0;                 // rmsprop, adadelta
  bool centered = false;          // rmsprop
  double beta_1 = 0, beta_2 = 0;  // adam, nadam, adamax, lion
  bool amsgrad = false;           // adam
  double epsilon = 0;             // all but sgd, lion and ftrl
  double learning_rate_power = 0, l1 = 0, l2 = 0, l2_shrinkage = 0, beta = 0;  // ftrl

  int tensors() const { return 2 + slots; }
  int scalars() const {
    return 1 + rule_scalars + has_gradient_scale + has_weight_decay + has_switch;
  }
};

}  // namespace plimsoll::kernels
