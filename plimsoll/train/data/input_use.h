// What a model does with each of its inputs before weights meet them, such as scaling.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

struct InputUse {
  enum class Kind {
    weights,  // they are multiplied by weights, as they are or times `scale` plus `offset`
    table,    // they are the numbers of rows of a table
    other,    // they are normalised, or go to something that is not looked into
  };

  Kind kind = Kind::other;
  std::string layer = {};  // that does it
  double scale = 1, offset = 0;
  int64_t rows = 0;  // of the table
};

// One per input of the network. Layers say what they do (LayerBody::range_effect()): those that
// leave numbers in their range are passed over, and networks inside are looked into.
std::vector<InputUse> input_uses(const Network& network);

}  // namespace plimsoll
