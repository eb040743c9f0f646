// GraphDef: a graph as TensorBoard draws it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

struct GraphNode {
  std::string name;                          // "model/dense"; a slash begins a group
  std::string op;                            // "Dense"
  std::vector<std::string> inputs = {};      // names of nodes
  std::vector<std::vector<int64_t>> shapes;  // of the outputs; -1: not known
};

// The bytes of the message.
std::string graph_def(std::span<const GraphNode> nodes);

}  // namespace plimsoll
