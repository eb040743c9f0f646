// Evaluation of what a thread has recorded: one planned step, whose plan is found again by the
// structure of the graph.
#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/memory/loop_watch.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/engine/step_graph.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/traverse.h"

namespace plimsoll {
namespace {

// The pending nodes that somebody holds and that read a variable that `writes` accepts. Those that
// depend on a placeholder cannot be computed; they are somebody's definition of a step.
template <class Writes>
std::vector<NodePtr> held_readers(Writes&& writes) {
  std::vector<Value> held;
  for (Node* node = pending_work().nodes; node != nullptr; node = node->next)
    if (node->handles > 0 && node->is_pending() && !node->symbolic)
      held.push_back({node->shared_from_this(), 0});
  struct Reads {
    bool written = false, placeholder = false;
  };
  std::unordered_map<const Node*, Reads> reads;
  for (const NodePtr& node : topological_order(held, Follow::pending)) {
    Reads& own = reads[node.get()];
    if (node->has_value()) continue;
    if (node->variable != nullptr) own.written = writes(*node->variable);
    if (node->op == nullptr && node->variable == nullptr) own.placeholder = true;
    for (const Value& input : node->inputs) {
      const Reads from = reads[input.node.get()];
      own.written |= from.written;
      own.placeholder |= from.placeholder;
    }
  }
  std::vector<NodePtr> readers;
  for (const Value& value : held) {
    const Reads& found = reads[value.node.get()];
    if (found.written && !found.placeholder) readers.push_back(value.node);
  }
  return readers;
}

// A variable's value that somebody holds is copied before the variable changes.
void detach_leaf(const VariableState& variable) {
  const NodePtr leaf = variable.leaf.lock();
  if (leaf == nullptr || leaf->handles == 0 || leaf->variable_version != variable.version) return;
  auto copy = std::make_shared<Storage>(variable.spec.bytes());
  std::memcpy(copy->data(), variable.storage.data(), static_cast<size_t>(variable.spec.bytes()));
  leaf->set_values({std::move(copy)});
  leaf->drop_history();
}

void add_outputs(const NodePtr& node, StepGraph& graph, std::vector<NodePtr>& nodes) {
  nodes.push_back(node);
  for (size_t i = 0; i < node->specs.size(); ++i)
    graph.outputs.push_back({node, static_cast<int>(i)});
}

void run(const StepGraph& graph, std::span<const NodePtr> nodes) {
  const std::vector<StoragePtr> outputs = evaluate_step(graph);
  size_t next = 0;
  for (const NodePtr& node : nodes) {
    const auto count = static_cast<ptrdiff_t>(node->specs.size());
    const auto begin = outputs.begin() + static_cast<ptrdiff_t>(next);
    node->set_values({begin, begin + count});
    next += node->specs.size();
    if (!GradientTape::recording()) node->drop_history();
  }
}

// A metric's update, in a validation say, does not.
bool trains(const StepGraph& graph) {
  return std::ranges::any_of(graph.commits,
                             [](const Commit& commit) { return commit.variable->trainable; });
}

void evaluate_nodes(std::vector<NodePtr> wanted) {
  StepGraph graph = take_step({}, {});
  if (trains(graph)) LoopWatch::current().begin_step();
  if (!graph.commits.empty()) {
    const auto is_written = [&](const VariableState& variable) {
      for (const Commit& commit : graph.commits)
        if (commit.variable.get() == &variable) return true;
      return false;
    };
    for (const NodePtr& node : held_readers(is_written))
      if (std::find(wanted.begin(), wanted.end(), node) == wanted.end()) wanted.push_back(node);
    for (const Commit& commit : graph.commits) detach_leaf(*commit.variable);
  }
  std::vector<NodePtr> nodes;
  for (const NodePtr& node : wanted) add_outputs(node, graph, nodes);
  if (!graph.outputs.empty() || !graph.commits.empty()) run(graph, nodes);
}

}  // namespace

void evaluate(std::span<const Tensor> tensors) {
  std::vector<NodePtr> wanted;
  for (const Tensor& tensor : tensors) {
    const NodePtr& node = tensor.value().node;
    if (node != nullptr && node->is_pending() &&
        std::find(wanted.begin(), wanted.end(), node) == wanted.end())
      wanted.push_back(node);
  }
  evaluate_nodes(std::move(wanted));
}

void settle_readers(const VariableState& variable) {
  if (variable.leaf.expired()) return;
  detach_leaf(variable);
  evaluate_nodes(held_readers([&](const VariableState& read) { return &read == &variable; }));
}

}  // namespace plimsoll
