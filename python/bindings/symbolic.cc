#include "python/bindings/symbolic.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/nn/layers/layer_call.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/shapes_only.h"

namespace plimsoll::python {
namespace {

// What a symbolic node's outputs would be if the unknown dimensions had the other stand-in, once
// it was asked for. A node that is gone may leave its address to another.
struct Seen {
  std::weak_ptr<Node> node;
  Specs specs;
};

std::unordered_map<const Node*, Seen>& seen_nodes() {
  thread_local std::unordered_map<const Node*, Seen> seen;
  return seen;
}

void forget_gone_nodes() {
  constexpr size_t kMany = 4096;
  if (seen_nodes().size() < kMany) return;
  std::erase_if(seen_nodes(), [](const auto& entry) { return entry.second.node.expired(); });
}

const Specs& other_specs(const NodePtr& node);

Specs trace_again(const NodePtr& node) {
  Specs inputs;
  for (const Value& input : node->inputs)
    inputs.push_back(input.node->symbolic
                         ? other_specs(input.node)[static_cast<size_t>(input.output)]
                         : input.node->spec(input.output));
  if (const LayerCall* call = as_layer_call(*node))
    if (const Port* port = as_input(*call->layer()))
      return {with_stand_in(port->spec, kOtherStandIn)};
  return node->op->infer(inputs);
}

const Specs& other_specs(const NodePtr& node) {
  const auto found = seen_nodes().find(node.get());
  if (found != seen_nodes().end() && found->second.node.lock() == node) return found->second.specs;
  forget_gone_nodes();
  Specs specs = trace_again(node);
  return seen_nodes()
      .insert_or_assign(node.get(), Seen{node, std::move(specs)})
      .first->second.specs;
}

}  // namespace

Spec known_spec(const Tensor& tensor) {
  const NodePtr& node = tensor.value().node;
  if (!node->symbolic || node->op == nullptr) return tensor.spec();
  const Spec& other = other_specs(node)[static_cast<size_t>(tensor.value().output)];
  return {tensor.dtype(), with_unknown(tensor.shape(), other.shape)};
}

}  // namespace plimsoll::python
