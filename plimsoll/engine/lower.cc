#include <mutex>
#include <unordered_map>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/program.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/traverse.h"

namespace plimsoll {
namespace {

class Lowering {
 public:
  explicit Lowering(const StepGraph& graph) : graph_(graph) {
    for (size_t i = 0; i < graph.inputs.size(); ++i)
      input_slots_[graph.inputs[i].node.get()] = static_cast<int>(i);
    program_.inputs.assign(graph.inputs.size(), -1);
  }

  Program run() {
    std::vector<Value> roots = graph_.outputs;
    roots.insert(roots.end(), graph_.gates.begin(), graph_.gates.end());
    for (const Commit& commit : graph_.commits) roots.push_back(commit.value);
    for (const NodePtr& node : topological_order(roots, Follow::pending)) add(*node);
    for (const Value& output : graph_.outputs) program_.outputs.push_back(number_of(output));
    for (const Value& gate : graph_.gates) program_.outputs.push_back(number_of(gate));
    program_.gate_count = static_cast<int>(graph_.gates.size());
    for (const Commit& commit : graph_.commits)
      program_.writes.push_back({number_of(commit.value), variable_slot(commit.variable)});
    return std::move(program_);
  }

 private:
  int number_of(const Value& value) const {
    return numbers_.at(value.node.get())[static_cast<size_t>(value.output)];
  }

  void add(const Node& node) {
    if (node.has_value()) {
      add_constant(node);
    } else if (node.variable != nullptr) {
      add_variable(node);
    } else if (node.op != nullptr) {
      add_instruction(node);
    } else {
      add_input(node);
    }
  }

  void add_constant(const Node& node) {
    std::vector<int>& numbers = numbers_[&node];
    for (size_t i = 0; i < node.specs.size(); ++i) {
      const int slot = static_cast<int>(program_.constants.size());
      const int value = program_.add_value({node.specs[i], {}, Home::constant, slot});
      program_.constants.push_back(value);
      program_.constant_data.push_back(node.values[i]);
      numbers.push_back(value);
    }
  }

  void add_variable(const Node& node) {
    refuse_left_behind(node);
    const int slot = variable_slot(node.variable);
    const int value = program_.add_value({node.specs[0], {}, Home::variable, slot});
    program_.variable_values[static_cast<size_t>(slot)] = value;
    numbers_[&node] = {value};
  }

  int variable_slot(const std::shared_ptr<VariableState>& variable) {
    const auto [found, added] =
        variable_slots_.try_emplace(variable.get(), static_cast<int>(program_.variables.size()));
    if (added) {
      program_.variables.push_back(variable);
      program_.variable_values.push_back(-1);
    }
    return found->second;
  }

  void add_input(const Node& node) {
    const auto found = input_slots_.find(&node);
    if (found == input_slots_.end())
      throw InvalidArgument("evaluate: the graph depends on a placeholder that is not bound");
    const int value = program_.add_value({node.specs[0], {}, Home::input, found->second});
    program_.inputs[static_cast<size_t>(found->second)] = value;
    numbers_[&node] = {value};
  }

  void add_instruction(const Node& node) {
    Instruction instruction{node.op, {}, {}, node.scope, node.where};
    instruction.gradient_of = node.gradient_of;
    for (const Value& input : node.inputs) instruction.inputs.push_back(number_of(input));
    for (const Spec& spec : node.specs) instruction.outputs.push_back(program_.add_value({spec}));
    numbers_[&node] = instruction.outputs;
    program_.instructions.push_back(std::move(instruction));
  }

  const StepGraph& graph_;
  Program program_;
  std::unordered_map<const Node*, std::vector<int>> numbers_;  // values of each node's outputs
  std::unordered_map<const Node*, int> input_slots_;
  std::unordered_map<const VariableState*, int> variable_slots_;
};

}  // namespace

Program lower(const StepGraph& graph) {
  return Lowering(graph).run();
}

void refuse_left_behind(const Node& leaf) {
  if (leaf.variable->version != leaf.variable_version)
    throw Error("evaluate: a pending tensor reads variable " + leaf.variable->name +
                " as it was before its last update; evaluate the tensor before that");
}

StepGraph take_assignments(Context& context) {
  StepGraph graph;
  std::vector<std::weak_ptr<VariableState>> assigned;
  {
    const std::lock_guard lock(context.mutex);
    assigned.swap(context.assigned);
    graph.gates.swap(context.gates);
  }
  for (const std::weak_ptr<VariableState>& entry : assigned) {
    const std::shared_ptr<VariableState> variable = entry.lock();
    if (variable == nullptr) continue;  // it cannot be read again
    const std::lock_guard lock(variable->mutex);
    graph.commits.push_back({variable, std::exchange(variable->pending, {})});
    variable->pending_in.reset();
  }
  return graph;
}

StepGraph take_step(std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  StepGraph graph = take_assignments(Context::current());
  for (const Tensor& input : inputs) graph.inputs.push_back(input.value());
  for (const Tensor& output : outputs) graph.outputs.push_back(output.value());
  return graph;
}

}  // namespace plimsoll
