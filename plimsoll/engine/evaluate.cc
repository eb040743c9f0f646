// Evaluation of what a context has recorded: one planned step, whose plan is found again by the
// structure of the graph. Usually the context's own thread evaluates; the rules of when another may
// are in graph/context.h. Either uses its own cache of steps and its own arena.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/memory/loop_watch.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/engine/step_graph.h"
#include "plimsoll/graph/commits.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/traverse.h"

namespace plimsoll {
namespace {

// The values of the context that are still to be computed and may be asked for: the pending nodes
// that have handles, newest first, and for another thread what the context's own next commit will
// read.
std::vector<Value> wanted_later(Context& context) {
  std::vector<Value> wanted;
  std::vector<std::shared_ptr<VariableState>> assigned;
  const bool is_own = context.is_current();
  {
    const std::lock_guard lock(context.mutex);
    for (Node* node = context.nodes; node != nullptr; node = node->next)
      if (node->handles.load(std::memory_order_acquire) > 0 && node->is_pending() &&
          !node->symbolic)
        if (NodePtr held = node->weak_from_this().lock()) wanted.push_back({std::move(held), 0});
    if (!is_own) wanted.insert(wanted.end(), context.gates.begin(), context.gates.end());
    if (!is_own)
      for (const auto& entry : context.assigned) assigned.push_back(entry.lock());
  }
  for (const auto& variable : assigned) {
    if (variable == nullptr) continue;
    const std::lock_guard lock(variable->mutex);
    if (variable->pending.node != nullptr && variable->pending_in.get() == &context)
      wanted.push_back(variable->pending);
  }
  return wanted;
}

// Those of them that read a variable that `writes` accepts. Those that depend on a placeholder
// cannot be computed; they belong to the definition of a step. The caller holds `evaluating`.
template <class Writes>
std::vector<NodePtr> readers_in(Context& context, Writes&& writes) {
  const std::vector<Value> wanted = wanted_later(context);
  struct Reads {
    bool written = false, placeholder = false;
  };
  std::unordered_map<const Node*, Reads> reads;
  for (const NodePtr& node : topological_order(wanted, Follow::pending)) {
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
  for (const Value& value : wanted) {
    Reads& found = reads[value.node.get()];
    if (!found.written || found.placeholder || !value.node->is_pending()) continue;
    readers.push_back(value.node);
    found.written = false;  // each once
  }
  return readers;
}

// Called after a node was given a value, unless a tape asks for its history. See context.h.
void drop_or_leave_history(Node& node) {
  Context& context = *node.context;
  if (context.is_current() || context.thread_has_ended())
    node.drop_history();
  else
    context.has_late_values = true;
}

// A variable's value that has a handle, or that a tape may have seen, is copied before the variable
// changes.
void detach_leaf(Node& leaf, const VariableState& variable) {
  if (leaf.has_value() || leaf.variable_version != variable.version) return;
  if (leaf.handles == 0 && !leaf.context->keeps_readers_of(leaf.number)) return;
  auto copy = std::make_shared<Storage>(variable.spec.bytes());
  std::memcpy(copy->data(), variable.storage.data(), static_cast<size_t>(variable.spec.bytes()));
  leaf.set_values({std::move(copy)});
  drop_or_leave_history(leaf);
}

void detach_leaf_in(const Context& context, const VariableState& variable) {
  for (const NodePtr& leaf : variable.live_leaves())
    if (leaf->context == &context) detach_leaf(*leaf, variable);
}

void add_outputs(const NodePtr& node, StepGraph& graph) {
  for (size_t i = 0; i < node->specs.size(); ++i)
    graph.outputs.push_back({node, static_cast<int>(i)});
}

// Runs the step, and gives the nodes their values.
void compute(StepGraph graph, std::span<const NodePtr> nodes) {
  for (const NodePtr& node : nodes) add_outputs(node, graph);
  if (graph.outputs.empty() && graph.commits.empty()) return;
  const std::vector<StoragePtr> outputs = evaluate_step(graph);
  size_t next = 0;
  for (const NodePtr& node : nodes) {
    const auto count = static_cast<ptrdiff_t>(node->specs.size());
    const auto begin = outputs.begin() + static_cast<ptrdiff_t>(next);
    node->set_values({begin, begin + count});
    next += node->specs.size();
    if (!node->context->is_current() || !node->context->keeps_history(node->number))
      drop_or_leave_history(*node);
  }
}

// True if the step trains; a metric's update, for example in a validation, does not.
bool trains(const StepGraph& graph) {
  return std::ranges::any_of(graph.commits,
                             [](const Commit& commit) { return commit.variable->trainable; });
}

bool contains(std::span<const NodePtr> nodes, const NodePtr& node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

// What this or another thread will ask of the context and what reads the variable is computed, or
// copied, before the variable is written. This thread holds no other context's lock.
void settle_readers_of_other(Context& context, const VariableState& variable) {
  const std::lock_guard lock(context.evaluating);
  detach_leaf_in(context, variable);
  compute({}, readers_in(context, [&](const VariableState& read) { return &read == &variable; }));
}

// The same in every other context, for what the next commit of `context` writes.
void settle_other_readers(Context& context) {
  if (Context::is_only()) return;
  std::vector<std::weak_ptr<VariableState>> assigned;
  {
    const std::lock_guard lock(context.mutex);
    assigned = context.assigned;
  }
  for (const auto& entry : assigned)
    if (const std::shared_ptr<VariableState> variable = entry.lock())
      for (const NodePtr& leaf : variable->live_leaves())
        if (leaf->context != &context) settle_readers_of_other(*leaf->context, *variable);
}

// Computes the nodes, and makes the context's assignments, in one step.
void evaluate_in(Context& context, std::vector<NodePtr> wanted) {
  const Commits commits(context);
  settle_other_readers(context);
  const std::lock_guard lock(context.evaluating);
  if (context.is_current() && context.has_late_values) drop_histories(context);
  std::erase_if(wanted, [](const NodePtr& node) { return node->has_value(); });
  StepGraph graph = take_assignments(context);
  if (trains(graph)) LoopWatch::current().begin_step();
  if (!graph.commits.empty()) {
    const auto is_written = [&](const VariableState& variable) {
      for (const Commit& commit : graph.commits)
        if (commit.variable.get() == &variable) return true;
      return false;
    };
    for (const NodePtr& node : readers_in(context, is_written))
      if (!contains(wanted, node)) wanted.push_back(node);
    for (const Commit& commit : graph.commits) detach_leaf_in(context, *commit.variable);
  }
  compute(std::move(graph), wanted);
}

}  // namespace

void evaluate(std::span<const Tensor> tensors) {
  std::vector<NodePtr> wanted;
  for (const Tensor& tensor : tensors) {
    const NodePtr& node = tensor.value().node;
    if (node == nullptr || node->symbolic || node->has_value()) continue;
    if (!node->context->is_current())
      compute_for_other_thread(node);
    else if (node->is_pending() && !contains(wanted, node))
      wanted.push_back(node);
  }
  evaluate_in(Context::current(), std::move(wanted));
}

void commit_assignments(Context& context) {
  evaluate_in(context, {});
}

void compute_for_other_thread(const NodePtr& node) {
  const std::lock_guard lock(node->context->evaluating);
  if (node->has_value()) return;
  if (node->op != nullptr) {
    compute({}, std::span(&node, 1));
  } else if (node->variable != nullptr) {
    refuse_left_behind(*node);
    detach_leaf(*node, *node->variable);
  }
}

void compute_if_steps_repeat_it(const Tensor& tensor) {
  const NodePtr& node = tensor.value().node;
  if (!tensor.defined() || !node->is_pending() || !node->context->is_current() ||
      !node->was_on_the_way.exchange(false))
    return;
  for (const NodePtr& from : topological_order(std::span(&tensor.value(), 1), Follow::pending))
    if (from->symbolic || (!from->has_value() && from->op == nullptr)) return;
  const std::lock_guard lock(node->context->evaluating);
  if (!node->has_value()) compute({}, std::span(&node, 1));
}

void settle_readers(const VariableState& variable) {
  for (const NodePtr& leaf : variable.live_leaves()) {
    Context& context = *leaf->context;
    if (!context.is_current()) {
      settle_readers_of_other(context, variable);
      continue;
    }
    std::vector<NodePtr> readers;
    {
      const std::lock_guard lock(context.evaluating);
      detach_leaf(*leaf, variable);
      readers = readers_in(context, [&](const VariableState& read) { return &read == &variable; });
    }
    evaluate_in(context, std::move(readers));
  }
}

}  // namespace plimsoll
