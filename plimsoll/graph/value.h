// Value: one output of a node, an edge of the graph.
#pragma once

#include <memory>

namespace plimsoll {

class Node;
using NodePtr = std::shared_ptr<Node>;

struct Value {
  NodePtr node;
  int output = 0;

  bool operator==(const Value&) const = default;
};

}  // namespace plimsoll
