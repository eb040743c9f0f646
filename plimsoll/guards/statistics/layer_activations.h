// The activations of a network's layers.
#pragma once

#include <map>
#include <string>

#include "plimsoll/guards/statistics/number_summary.h"
#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

// Keras's name of the activation of one layer; empty: none. One that Keras does not know is named
// after its class.
std::string activation_of(const LayerBody& layer);

// Keras's names by the paths of the layers: {"encoder/dense_1", "relu"}. Layers without one, or
// with a linear one, are left out.
std::map<std::string, std::string> layer_activations(const Network& network);

// Where the outputs of an activation still change with their inputs:
//   sigmoid, hard_sigmoid    0.01 to 0.99
//   tanh, softsign           -0.99 to 0.99
//   softmax                  up to 0.999; only one number of a row can be above
// No other activation saturates.
SteepRange steep_range(const std::string& activation);

}  // namespace plimsoll
