#include "plimsoll/plan/step.h"

#include <span>
#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll::plan {
namespace {

void require(bool holds, const std::string& who, const std::string& what) {
  if (!holds) throw InvalidArgument("step: " + who + " " + what);
}

void check_indices(const std::string& who, const char* list, std::span<const int32_t> indices,
                   size_t size) {
  for (const int32_t index : indices) {
    require(index >= 0 && static_cast<size_t>(index) < size, who,
            "names " + std::to_string(index) + " in its " + list + ", expected 0 to " +
                std::to_string(static_cast<int64_t>(size) - 1));
  }
}

void check_value(const StepProblem& problem, size_t index) {
  const Value& value = problem.values[index];
  const std::string who = "value " + std::to_string(index);
  require(value.bytes >= 0, who, "has a negative size");
  if (value.alias_of == -1) return;
  check_indices(who, "alias_of", {&value.alias_of, 1}, problem.values.size());
  int32_t owner = value.alias_of;
  for (size_t steps = 0; problem.values[owner].alias_of >= 0; ++steps) {
    require(steps < problem.values.size(), who, "is a view of itself");
    owner = problem.values[owner].alias_of;
  }
  require(value.bytes <= problem.values[owner].bytes, who,
          "is larger than value " + std::to_string(owner) + ", which it is a view of");
  require(!value.external || problem.values[owner].external, who,
          "lives outside the arena but is a view of value " + std::to_string(owner) + " inside it");
}

void check_task(const StepProblem& problem, size_t index) {
  const Task& task = problem.tasks[index];
  const std::string who = "task " + std::to_string(index);
  check_indices(who, "inputs", task.inputs, problem.values.size());
  check_indices(who, "outputs", task.outputs, problem.values.size());
  check_indices(who, "after", task.after, problem.tasks.size());
  require(task.scratch_bytes >= 0, who, "has a negative scratch size");
  for (const Overwrite& row : task.may_overwrite) {
    check_indices(who, "overwritten inputs", {&row.input, 1}, task.inputs.size());
    check_indices(who, "overwriting outputs", {&row.output, 1}, task.outputs.size());
  }
}

void check_single_makers(const StepProblem& problem) {
  std::vector<int32_t> maker(problem.values.size(), -1);
  for (size_t task = 0; task < problem.tasks.size(); ++task) {
    for (const int32_t value : problem.tasks[task].outputs) {
      require(maker[value] == -1, "value " + std::to_string(value),
              "is made twice, by task " + std::to_string(maker[value]) + " and by task " +
                  std::to_string(task));
      maker[value] = static_cast<int32_t>(task);
    }
  }
}

}  // namespace

void check(const StepProblem& problem) {
  require(problem.alignment >= 1, "alignment", "must be at least 1");
  check_indices("the step", "kept values", problem.kept, problem.values.size());
  for (size_t i = 0; i < problem.values.size(); ++i) check_value(problem, i);
  for (size_t i = 0; i < problem.tasks.size(); ++i) check_task(problem, i);
  check_single_makers(problem);
}

std::vector<int32_t> storage_owners(const StepProblem& problem) {
  std::vector<int32_t> owners(problem.values.size());
  for (size_t i = 0; i < owners.size(); ++i) {
    int32_t owner = static_cast<int32_t>(i);
    while (problem.values[owner].alias_of >= 0) owner = problem.values[owner].alias_of;
    owners[i] = owner;
  }
  return owners;
}

std::vector<int32_t> makers(const StepProblem& problem) {
  std::vector<int32_t> maker(problem.values.size(), -1);
  for (size_t task = 0; task < problem.tasks.size(); ++task) {
    for (const int32_t value : problem.tasks[task].outputs) {
      maker[value] = static_cast<int32_t>(task);
    }
  }
  return maker;
}

}  // namespace plimsoll::plan
