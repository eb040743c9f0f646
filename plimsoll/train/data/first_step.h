// What a model does first to each of its inputs: does it scale them itself?
#pragma once

#include <string>
#include <vector>

#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

struct FirstStep {
  enum class Kind {
    weights,  // they are multiplied by weights, as they are or times `scale` plus `offset`
    table,    // they are the numbers of rows of a table
    other,    // normalised, or something that is not looked into
  };

  Kind kind = Kind::other;
  std::string layer = {};  // that does it
  double scale = 1, offset = 0;
  int64_t rows = 0;  // of the table
};

// One an input of the network. Layers that leave numbers in their range (Flatten, Resizing, …) are
// passed over, networks inside are looked into.
std::vector<FirstStep> first_steps(const Network& network);

}  // namespace plimsoll
