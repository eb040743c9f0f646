#include "plimsoll/plan/recompute/recompute_record.h"

#include <algorithm>
#include <utility>

namespace plimsoll::plan {
namespace {

class Recorder {
 public:
  explicit Recorder(const RecomputeFacts& facts)
      : facts_(facts), has_run_(facts.problem.tasks.size(), false) {
    result_.problem = facts.problem;
    const auto tasks = static_cast<int32_t>(facts.problem.tasks.size());
    const auto values = static_cast<int32_t>(facts.problem.values.size());
    for (int32_t t = 0; t < tasks; ++t) result_.task_origins.push_back(t);
    for (int32_t v = 0; v < values; ++v) result_.value_origins.push_back(v);
    for (int32_t v = 0; v < values; ++v) current_.push_back(facts.makers[at(v)] == -1 ? v : -1);
    for (int32_t v = 0; v < values; ++v)
      if (facts.makers[at(v)] == -1) add_views(v);
  }

  // Writes the task itself the first time and then a copy. The task is left with the overwrites
  // that are taken: one that only looks possible afterwards would keep a larger buffer than was
  // counted.
  void add(const Run& run) {
    const bool is_copy = has_run_[at(run.task)];
    has_run_[at(run.task)] = true;
    Task task = facts_.task(run.task);
    task.may_overwrite = run.taken;
    for (int32_t& input : task.inputs) input = value_now(input);
    const std::vector<int32_t>& outputs = facts_.task(run.task).outputs;
    for (const bool views : {false, true})
      for (size_t i = 0; i < outputs.size(); ++i)
        if (facts_.is_view(outputs[i]) == views)
          task.outputs[i] = new_value(outputs[i], is_copy, run.still_there);
    if (is_copy) result_.extra_seconds += task.seconds;
    result_.order.push_back(add_task(std::move(task), run.task, is_copy));
    if (is_copy) return;
    for (const int32_t output : outputs) add_views(output);
  }

  RecomputedStep take() { return std::move(result_); }

 private:
  void add_views(int32_t of) {
    for (const int32_t task : facts_.view_tasks[at(of)]) add({.task = task});
  }

  int32_t add_task(Task task, int32_t origin, bool is_copy) {
    if (!is_copy) {
      result_.problem.tasks[at(origin)] = std::move(task);
      return origin;
    }
    result_.problem.tasks.push_back(std::move(task));
    result_.task_origins.push_back(origin);
    return static_cast<int32_t>(result_.problem.tasks.size()) - 1;
  }

  // The number of a value that is about to be made; views of the one before are void. If the older
  // one is still in memory, readers stay with it.
  int32_t new_value(int32_t origin, bool is_copy, std::span<const int32_t> still_there = {}) {
    const int32_t made = is_copy ? copy_value(origin) : origin;
    if (const int32_t alias = facts_.problem.values[at(origin)].alias_of; alias >= 0) {
      const int32_t now = value_now(alias);  // may add values
      result_.problem.values[at(made)].alias_of = now;
    }
    if (std::ranges::find(still_there, origin) != still_there.end()) return made;
    current_[at(origin)] = made;
    if (!facts_.is_view(origin))
      for (const int32_t view : facts_.views[at(origin)]) current_[at(view)] = -1;
    return made;
  }

  // The copy that readers read now. A view of a copy needs no task.
  int32_t value_now(int32_t origin) {
    if (current_[at(origin)] >= 0) return current_[at(origin)];
    return facts_.is_view(origin) ? new_value(origin, true) : origin;
  }

  int32_t copy_value(int32_t origin) {
    result_.problem.values.push_back(facts_.problem.values[at(origin)]);
    result_.value_origins.push_back(origin);
    return static_cast<int32_t>(result_.problem.values.size()) - 1;
  }

  const RecomputeFacts& facts_;
  std::vector<bool> has_run_;     // of tasks
  std::vector<int32_t> current_;  // the current copy of each value, -1: none
  RecomputedStep result_;
};

}  // namespace

RecomputedStep record(const RecomputeFacts& facts, std::span<const Run> runs) {
  Recorder recorder(facts);
  for (const Run& run : runs) recorder.add(run);
  return recorder.take();
}

}  // namespace plimsoll::plan
