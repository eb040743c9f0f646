#include "plimsoll/graph/traverse.h"

#include <unordered_set>
#include <utility>

#include "plimsoll/graph/node.h"

namespace plimsoll {

std::vector<NodePtr> topological_order(std::span<const Value> roots, Follow follow) {
  std::vector<NodePtr> order;
  std::unordered_set<const Node*> visited;
  std::vector<std::pair<const NodePtr*, size_t>> stack;  // a node and its next input to visit
  const auto push = [&](const NodePtr& node) {
    if (visited.insert(node.get()).second) stack.emplace_back(&node, 0);
  };
  for (const Value& root : roots) {
    push(root.node);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      const bool open =
          !(*node)->has_value() || (follow == Follow::history && (*node)->shows_history());
      if (open && next < (*node)->inputs.size()) {
        push((*node)->inputs[next++].node);
      } else {
        order.push_back(*node);
        stack.pop_back();
      }
    }
  }
  return order;
}

}  // namespace plimsoll
