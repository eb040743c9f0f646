// The facts about a step that stay the same while ways to recompute it are tried.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "plimsoll/plan/step.h"

namespace plimsoll::plan {

// Owners are values with storage of their own; views have that of their owner. A moment is a place
// in the order.
class RecomputeFacts {
 public:
  RecomputeFacts(const StepProblem& given, std::span<const int32_t> given_order)
      : problem(given),
        order(given_order),
        owners(storage_owners(given)),
        makers(plan::makers(given)) {
    is_kept.assign(given.values.size(), false);
    for (const int32_t value : given.kept) is_kept[at(owners[at(value)])] = true;
    uses.resize(given.values.size());
    views.resize(given.values.size());
    view_tasks.resize(given.values.size());
    for (size_t v = 0; v < given.values.size(); ++v)
      if (is_view(static_cast<int32_t>(v))) views[at(owners[v])].push_back(static_cast<int32_t>(v));
    for (const int32_t index : order)
      if (is_plain_view(index)) view_tasks[at(task(index).inputs[0])].push_back(index);
    for (const Task& task : given.tasks) {
      read.push_back(arena_owners(task.inputs));
      made.push_back(own_outputs(task.outputs));
      plain_views.push_back(is_plain_view(static_cast<int32_t>(plain_views.size())));
    }
    for (size_t moment = 0; moment < order.size(); ++moment) add_uses(moment);
    while (moments_of_stage_0 < order.size() && task(order[moments_of_stage_0]).stage == 0)
      ++moments_of_stage_0;
  }

  const Task& task(int32_t index) const { return problem.tasks[at(index)]; }
  bool in_arena(int32_t owner) const { return !problem.values[at(owner)].external; }
  int64_t bytes(int32_t value) const { return problem.values[at(value)].bytes; }
  int64_t rounded(int64_t bytes) const {
    return (bytes + problem.alignment - 1) / problem.alignment * problem.alignment;
  }

  bool is_view(int32_t value) const { return owners[at(value)] != value; }
  // A task that makes a view and nothing else. It runs as soon as the value that it views exists.
  bool is_plain_view(int32_t index) const {
    const Task& it = task(index);
    if (it.outputs.size() != 1 || it.inputs.size() != 1 || !it.after.empty()) return false;
    const int32_t maker = makers[at(it.inputs[0])];
    return problem.values[at(it.outputs[0])].alias_of == it.inputs[0] &&
           it.stage == (maker < 0 ? 0 : task(maker).stage);
  }
  bool may_repeat(int32_t index) const {
    return index >= 0 && task(index).may_repeat &&
           std::ranges::all_of(task(index).outputs,
                               [&](int32_t v) { return in_arena(owners[at(v)]); });
  }

  // True if the owner may be dropped before the use with this number (or after the last). Later
  // stages may have changed what a value is made of.
  bool may_drop(int32_t owner, int32_t gap) const {
    if (is_kept[at(owner)] || !may_repeat(makers[at(owner)])) return false;
    return at(gap) == uses[at(owner)].size() ||
           task(order[at(uses[at(owner)][at(gap)])]).stage == 0;
  }

  const StepProblem& problem;
  std::span<const int32_t> order;
  std::vector<int32_t> owners, makers;
  std::vector<bool> is_kept;                     // of owners
  std::vector<std::vector<int32_t>> uses;        // of each owner, the moments at which it is read
  std::vector<std::vector<int32_t>> views;       // of each owner
  std::vector<std::vector<int32_t>> view_tasks;  // of each value, the plain views of it
  // Of each task, the owners in the arena that it reads and makes, each once.
  std::vector<std::vector<int32_t>> read, made;
  std::vector<bool> plain_views;  // of tasks
  size_t moments_of_stage_0 = 0;  // nothing is dropped or made again later

 private:
  std::vector<int32_t> arena_owners(std::span<const int32_t> values) const {
    std::vector<int32_t> found;
    for (const int32_t value : values) {
      const int32_t owner = owners[at(value)];
      if (in_arena(owner) && std::ranges::find(found, owner) == found.end()) found.push_back(owner);
    }
    return found;
  }

  std::vector<int32_t> own_outputs(std::span<const int32_t> values) const {
    std::vector<int32_t> found;
    for (const int32_t value : values)
      if (!is_view(value) && in_arena(value)) found.push_back(value);
    return found;
  }

  void add_uses(size_t moment) {
    if (is_plain_view(order[moment])) return;
    for (const int32_t input : task(order[moment]).inputs) {
      std::vector<int32_t>& of = uses[at(owners[at(input)])];
      if (of.empty() || of.back() != static_cast<int32_t>(moment))
        of.push_back(static_cast<int32_t>(moment));
    }
  }
};

}  // namespace plimsoll::plan
