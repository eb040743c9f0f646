// Every rule of the doctor. To add one, write a file in rules/, declare its function here and add
// its row to rule_list.cc.
#pragma once

#include "plimsoll/guards/doctor/rule.h"

namespace plimsoll {

Rule output_activation_rule();
Rule loss_mismatch_rule();
Rule output_units_rule();
Rule labels_out_of_range_rule();
Rule missing_nonlinearity_rule();
Rule bad_initialisation_rule();
Rule frozen_weights_rule();
Rule over_regularised_rule();
Rule model_capacity_rule();
Rule inputs_not_normalised_rule();
Rule constant_input_rule();
Rule targets_not_scaled_rule();
Rule class_imbalance_rule();
Rule not_shuffled_rule();
Rule bad_record_rule();
Rule not_finite_op_rule();
Rule learning_rate_high_rule();
Rule learning_rate_low_rule();
Rule batch_size_rule();
Rule too_few_epochs_rule();
Rule vanishing_gradients_rule();
Rule exploding_gradients_rule();
Rule dead_relu_rule();
Rule saturation_rule();
Rule overfitting_rule();
Rule underfitting_rule();
Rule label_noise_rule();
Rule memory_growth_rule();
Rule data_bound_rule();
Rule busy_cores_rule();
Rule slow_steps_rule();

}  // namespace plimsoll
