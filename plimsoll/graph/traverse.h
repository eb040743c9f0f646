// Walking the graph.
#pragma once

#include <span>
#include <vector>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

enum class Follow {
  pending,  // stop at nodes that have a value
  history,  // go on through evaluated nodes of this thread that still know how they came about
};

// Every node that the roots depend on, each after its inputs. The order depends only on the
// structure of the graph. Does not recurse.
std::vector<NodePtr> topological_order(std::span<const Value> roots, Follow follow);

}  // namespace plimsoll
