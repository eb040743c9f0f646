// What the schedules' options have in common.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/nn/keras/fields.h"

namespace plimsoll {

// InvalidArgument unless `steps` is above 0.
void check_steps(const std::string& schedule, const char* key, double steps);

// A number of steps: Keras writes 1000, and takes 1562.5 as well.
void with_steps(Fields& fields, const char* key, double& steps);
void with_steps(Fields& fields, const char* key, std::vector<double>& steps);

template <class Options>
void with_rate(Fields& fields, Options& options) {
  if (fields.reading() && !fields.has("initial_learning_rate"))
    fields.refuse("its config has no initial_learning_rate");
  fields.with("initial_learning_rate", options.initial_learning_rate);
}

}  // namespace plimsoll
