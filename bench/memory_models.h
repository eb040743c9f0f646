// The models whose memory and times are predicted and measured by memory_bench.
#pragma once

#include <string>

#include "tests/support/example_models.h"

namespace plimsoll {

// A model file of Keras where the name ends in ".keras"; a small model that memory_models.cc lists;
// else the example model of that name.
ExampleModel memory_model(const std::string& name);

}  // namespace plimsoll
