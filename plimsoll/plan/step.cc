#include "plimsoll/plan/step.h"

#include <fmt/format.h>

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
            fmt::format("names {} in its {}, expected 0 to {}", index, list,
                        static_cast<int64_t>(size) - 1));
  }
}

void check_value(const StepProblem& problem, size_t index) {
  const Value& value = problem.values[index];
  const std::string who = fmt::format("value {}", index);
  require(value.bytes >= 0, who, "has a negative size");
  if (value.alias_of == -1) return;
  check_indices(who, "alias_of", {&value.alias_of, 1}, problem.values.size());
  int32_t owner = value.alias_of;
  for (size_t steps = 0; problem.values[owner].alias_of >= 0; ++steps) {
    require(steps < problem.values.size(), who, "is a view of itself");
    owner = problem.values[owner].alias_of;
  }
  require(value.bytes <= problem.values[owner].bytes, who,
          fmt::format("is larger than value {}, which it is a view of", owner));
  require(!value.external || problem.values[owner].external, who,
          fmt::format("lives outside the arena but is a view of value {} inside it", owner));
}

void check_task(const StepProblem& problem, size_t index) {
  const Task& task = problem.tasks[index];
  const std::string who = fmt::format("task {}", index);
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
      require(maker[value] == -1, fmt::format("value {}", value),
              fmt::format("is made twice, by task {} and by task {}", maker[value], task));
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
