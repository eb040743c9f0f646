#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {

std::span<const Rule> rules() {
  static const std::vector<Rule> list = {
      output_activation_rule(),
      loss_mismatch_rule(),
      output_units_rule(),
      labels_out_of_range_rule(),
      missing_nonlinearity_rule(),
      bad_initialisation_rule(),
      frozen_weights_rule(),
      over_regularised_rule(),
      model_capacity_rule(),
      inputs_not_normalised_rule(),
      constant_input_rule(),
      targets_not_scaled_rule(),
      class_imbalance_rule(),
      not_shuffled_rule(),
      bad_record_rule(),
      not_finite_op_rule(),
      learning_rate_high_rule(),
      learning_rate_low_rule(),
      batch_size_rule(),
      too_few_epochs_rule(),
      vanishing_gradients_rule(),
      exploding_gradients_rule(),
      dead_relu_rule(),
      saturation_rule(),
      overfitting_rule(),
      underfitting_rule(),
      label_noise_rule(),
      memory_growth_rule(),
      data_bound_rule(),
      busy_cores_rule(),
      slow_steps_rule(),
  };
  return list;
}

}  // namespace plimsoll
