#include "plimsoll/graph/gradient.h"

#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/graph/traverse.h"

namespace plimsoll {
namespace {

// The gradients that have arrived at each output of each node so far.
class Accumulator {
 public:
  void add(const Value& value, const Tensor& gradient) {
    Tensors& slots = slots_of(*value.node);
    Tensor& slot = slots[static_cast<size_t>(value.output)];
    if (gradient.shape() != value.node->spec(value.output).shape)
      throw Error("gradient: shape " + gradient.shape().to_string() + " for a value of shape " +
                  value.node->spec(value.output).shape.to_string());
    slot = slot.defined() ? add_gradients(slot, gradient) : gradient;
  }
  const Tensors* find(const Node& node) const {
    const auto found = slots_.find(&node);
    return found == slots_.end() ? nullptr : &found->second;
  }
  Tensor find(const Value& value) const {
    const Tensors* slots = find(*value.node);
    return slots == nullptr ? Tensor() : (*slots)[static_cast<size_t>(value.output)];
  }

 private:
  Tensors& slots_of(const Node& node) {
    Tensors& slots = slots_[&node];
    slots.resize(node.specs.size());
    return slots;
  }
  std::unordered_map<const Node*, Tensors> slots_;
};

// The nodes through which a source reaches the target.
std::unordered_set<const Node*> on_path(std::span<const NodePtr> order,
                                        std::span<const Tensor> sources) {
  std::unordered_set<const Node*> marked;
  for (const Tensor& source : sources) marked.insert(source.value().node.get());
  for (const NodePtr& node : order) {
    if (!node->shows_history()) continue;
    for (const Value& input : node->inputs)
      if (marked.contains(input.node.get())) {
        marked.insert(node.get());
        break;
      }
  }
  return marked;
}

void propagate(const Node& node, const std::unordered_set<const Node*>& marked,
               Accumulator& accumulator) {
  const Tensors* arrived = accumulator.find(node);
  if (arrived == nullptr || !node.shows_history() || node.op == nullptr) return;
  const Scope scope(node.scope, node.where);
  const Tensors parts = node.op->gradient(node, *arrived);
  for (size_t i = 0; i < parts.size() && i < node.inputs.size(); ++i)
    if (parts[i].defined() && marked.contains(node.inputs[i].node.get()))
      accumulator.add(node.inputs[i], parts[i]);
}

}  // namespace

Tensors gradients(const Tensor& target, std::span<const Tensor> sources, const Tensor& seed) {
  if (target.dtype() != DType::float32)
    throw InvalidArgument("gradient: the target is " + target.spec().to_string() +
                          ", expected float32");
  const std::vector<NodePtr> order =
      topological_order(std::span(&target.value(), 1), Follow::history);
  const auto marked = on_path(order, sources);
  Accumulator accumulator;
  accumulator.add(target.value(), seed.defined() ? seed : ones_like(target));
  for (auto node = order.rbegin(); node != order.rend(); ++node)
    if (marked.contains(node->get())) propagate(**node, marked, accumulator);
  Tensors result;
  for (const Tensor& source : sources) result.push_back(accumulator.find(source.value()));
  return result;
}

GradientTape::GradientTape() {
  Context& context = Context::current();
  if (context.open.tapes == 0 && context.has_assignments()) evaluate({});
  ++context.open.tapes;
}

GradientTape::~GradientTape() {
  Context& context = Context::current();
  if (--context.open.tapes > 0) return;
  const std::lock_guard lock(context.evaluating);
  drop_histories(context);
}

Tensors GradientTape::gradient(const Tensor& target, std::span<const Variable> sources) const {
  Tensors values;
  for (const Variable& source : sources) values.push_back(source.value());
  return gradients(target, values);
}

Tensors GradientTape::gradient(const Tensor& target, std::span<const Tensor> sources) const {
  return gradients(target, sources);
}

bool GradientTape::recording() {
  return Context::current().open.tapes > 0;
}

}  // namespace plimsoll
