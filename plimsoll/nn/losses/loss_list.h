// Every kind of loss, once.
#pragma once

#include <span>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

// What a loss compares.
enum class Comparison {
  distance,      // of two numbers
  crossentropy,  // of probabilities of classes
  margin,        // of a number and the border between two classes
  other,
};

// The loss of the best answer that is the same for every record, by the targets of a column.
enum class ConstantAnswer { unknown, variance, absolute_deviation, entropy, entropy_of_classes };

struct LossKind {
  std::string_view name;        // Keras's function: "mean_squared_error"
  std::string_view class_name;  // Keras's class: "MeanSquaredError"; empty where there is none
  std::string_view short_name;  // "mse", in capitals too; may be empty
  std::string_view old_name;    // of Keras 2; may be empty
  Loss (*make)();               // with Keras's defaults
  Loss (*from_config)(Fields&);
  Comparison comparison = Comparison::other;
  ConstantAnswer constant_answer = ConstantAnswer::unknown;
};

std::span<const LossKind> loss_list();

// By any of its names; null if there is none.
const LossKind* find_loss(std::string_view name);
// The same with Keras's defaults; InvalidArgument lists the known names.
Loss make_loss(std::string_view name);

// As Keras writes it: the name by which it was requested, or {"module": "keras.losses", …}.
// InvalidArgument if it is a function that a program made.
Json config_of(const Loss& loss);
// Reads what config_of made, or the name of one of Keras's functions.
Loss loss_from_config(const Json& json);

}  // namespace plimsoll
