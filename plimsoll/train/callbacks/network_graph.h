// The layers of a network as a graph that TensorBoard draws.
#pragma once

#include <vector>

#include "plimsoll/formats/tensorflow/graph_def.h"
#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

// One node per layer, and per op between layers; a network inside of it is a group of its own.
std::vector<GraphNode> network_graph(const Network& network);

// About how many nodes that will be.
int64_t count_layers(const LayerBody& layer);

}  // namespace plimsoll
