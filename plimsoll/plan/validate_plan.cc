#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "plimsoll/plan/arena_contents.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {
namespace {

struct Range {
  int64_t begin = 0;
  int64_t end = 0;

  bool overlaps(const Range& other) const {
    return std::max(begin, other.begin) < std::min(end, other.end);
  }
};

class PlanValidator {
 public:
  PlanValidator(const StepProblem& problem, const StepPlan& plan)
      : problem_(problem), plan_(plan) {}

  std::vector<std::string> validate() {
    check_sizes();
    if (defects_.empty()) check_order_is_a_permutation();
    if (!defects_.empty()) return defects_;  // nothing else can be asked
    check_dependencies();
    check_stages();
    for (int32_t value = 0; value < count(problem_.values); ++value) check_place_of_value(value);
    for (int32_t task = 0; task < count(problem_.tasks); ++task) check_place_of_scratch(task);
    if (defects_.empty()) run();
    return defects_;
  }

 private:
  template <typename List>
  static int32_t count(const List& list) {
    return static_cast<int32_t>(list.size());
  }
  static std::string value_name(int32_t value) { return fmt::format("value {}", value); }
  static std::string task_name(int32_t task) { return fmt::format("task {}", task); }

  void report(std::string defect) { defects_.push_back(std::move(defect)); }

  int32_t owner_of(int32_t value) const {
    while (problem_.values[value].alias_of >= 0) value = problem_.values[value].alias_of;
    return value;
  }
  bool in_arena(int32_t value) const { return !problem_.values[owner_of(value)].external; }

  Range range_of(int32_t value) const {
    if (!in_arena(value)) return {};
    const int64_t begin = plan_.value_offsets[value];
    return {begin, begin + problem_.values[value].bytes};
  }
  Range scratch_of(int32_t task) const {
    const int64_t begin = plan_.scratch_offsets[task];
    return {begin, begin + problem_.tasks[task].scratch_bytes};
  }

  void check_sizes() {
    if (plan_.value_offsets.size() != problem_.values.size()) report("value_offsets: wrong length");
    if (plan_.scratch_offsets.size() != problem_.tasks.size()) {
      report("scratch_offsets: wrong length");
    }
    if (plan_.overwrote.size() != problem_.tasks.size()) report("overwrote: wrong length");
  }

  void check_order_is_a_permutation() {
    std::vector<int32_t> sorted = plan_.order;
    std::sort(sorted.begin(), sorted.end());
    bool each_once = sorted.size() == problem_.tasks.size();
    for (int32_t i = 0; each_once && i < count(sorted); ++i) each_once = sorted[i] == i;
    if (!each_once) report("order: it does not have every task once");
  }

  void check_dependencies() {
    std::vector<int32_t> moments(problem_.tasks.size());
    for (int32_t i = 0; i < count(plan_.order); ++i) moments[plan_.order[i]] = i;
    std::vector<int32_t> made_at(problem_.values.size(), -1);
    for (int32_t task = 0; task < count(problem_.tasks); ++task) {
      for (const int32_t output : problem_.tasks[task].outputs) made_at[output] = moments[task];
    }
    for (int32_t task = 0; task < count(problem_.tasks); ++task) {
      for (int32_t value : problem_.tasks[task].inputs) {
        for (; value >= 0; value = problem_.values[value].alias_of) {
          if (made_at[value] < moments[task]) continue;
          report(task_name(task) + " reads " + value_name(value) + " before it is made");
        }
      }
      for (const int32_t other : problem_.tasks[task].after) {
        if (moments[other] < moments[task]) continue;
        report(task_name(task) + " runs before " + task_name(other) + ", which must run first");
      }
    }
  }

  void check_stages() {
    for (size_t i = 1; i < plan_.order.size(); ++i) {
      const int32_t task = plan_.order[i];
      if (problem_.tasks[task].stage < problem_.tasks[plan_.order[i - 1]].stage) {
        report(task_name(task) + " runs after a task of a later stage");
      }
    }
  }

  void check_range(const std::string& who, const Range& range) {
    if (range.begin % problem_.alignment != 0) report(who + " is not aligned");
    if (range.begin < 0 || range.end > plan_.arena_bytes) report(who + " is not inside the arena");
  }

  void check_place_of_value(int32_t value) {
    const int64_t offset = plan_.value_offsets[value];
    if (offset != plan_.value_offsets[owner_of(value)]) {
      report(value_name(value) + " is not at the offset of the value that it is a view of");
    }
    if (in_arena(value)) {
      check_range(value_name(value), range_of(value));
    } else if (offset != -1) {
      report(value_name(value) + " is external but has an offset");
    }
  }

  void check_place_of_scratch(int32_t task) {
    if (problem_.tasks[task].scratch_bytes > 0) {
      check_range("scratch of " + task_name(task), scratch_of(task));
    } else if (plan_.scratch_offsets[task] != -1) {
      report(task_name(task) + " needs no scratch but has some");
    }
  }

  void run() {
    std::vector<char> is_made(problem_.values.size(), 0);
    for (const Task& task : problem_.tasks) {
      for (const int32_t output : task.outputs) is_made[output] = 1;
    }
    for (int32_t value = 0; value < count(problem_.values); ++value) {
      if (!is_made[value]) write(value);
    }
    for (const int32_t task : plan_.order) run(task);
    for (const int32_t value : problem_.kept) check_intact(value, "the end of the step");
  }

  void run(int32_t index) {
    const Task& task = problem_.tasks[index];
    for (const int32_t input : task.inputs) check_intact(input, task_name(index));
    check_overwrites(index);
    check_overlaps(index);
    const Range scratch = scratch_of(index);
    if (task.scratch_bytes > 0) contents_.write(scratch.begin, scratch.end, scratch_writer(index));
    for (const int32_t output : task.outputs) write(output);
  }

  // Writers in contents_: values by their index, scratch below kNobody.
  static int64_t scratch_writer(int32_t task) { return ArenaContents::kNobody - 1 - task; }

  void write(int32_t value) {
    if (owner_of(value) != value) return;  // a view
    const Range range = range_of(value);
    contents_.write(range.begin, range.end, value);
  }

  void check_intact(int32_t value, const std::string& reader) {
    const Range range = range_of(value);
    const std::optional<int64_t> stranger =
        contents_.first_stranger(range.begin, range.end, owner_of(value));
    if (!stranger) return;
    std::string culprit = "nothing";
    if (*stranger >= 0) culprit = value_name(static_cast<int32_t>(*stranger));
    if (*stranger < ArenaContents::kNobody) {
      culprit =
          "scratch of " + task_name(static_cast<int32_t>(ArenaContents::kNobody - 1 - *stranger));
    }
    report(value_name(value) + " is not intact for " + reader + ": " + culprit + " wrote there");
  }

  void check_overwrites(int32_t index) {
    const Task& task = problem_.tasks[index];
    for (const int32_t row : plan_.overwrote[index]) {
      if (row < 0 || row >= count(task.may_overwrite)) {
        report(task_name(index) + " takes an overwrite that it does not declare");
        continue;
      }
      const int32_t input = task.inputs[task.may_overwrite[row].input];
      const int32_t output = task.outputs[task.may_overwrite[row].output];
      if (plan_.value_offsets[input] != plan_.value_offsets[output]) {
        report(value_name(output) + " is not in the place of " + value_name(input) +
               ", which it should overwrite");
      }
      const auto same_storage = [&](int32_t other) { return owner_of(other) == owner_of(input); };
      if (std::count_if(task.inputs.begin(), task.inputs.end(), same_storage) > 1) {
        report(task_name(index) + " overwrites " + value_name(input) + ", which it reads twice");
      }
    }
  }

  bool may_share(int32_t index, int32_t input_position, int32_t output_position) const {
    const Task& task = problem_.tasks[index];
    return std::any_of(plan_.overwrote[index].begin(), plan_.overwrote[index].end(),
                       [&](int32_t row) {
                         return row >= 0 && row < count(task.may_overwrite) &&
                                task.may_overwrite[row].input == input_position &&
                                task.may_overwrite[row].output == output_position;
                       });
  }

  void check_overlaps(int32_t index) {
    const Task& task = problem_.tasks[index];
    const Range scratch = scratch_of(index);
    for (const int32_t input : task.inputs) {
      if (scratch.overlaps(range_of(input))) {
        report("scratch of " + task_name(index) + " overlaps its input " + value_name(input));
      }
    }
    for (int32_t o = 0; o < count(task.outputs); ++o) check_output(index, o);
  }

  void check_output(int32_t index, int32_t position) {
    const Task& task = problem_.tasks[index];
    const int32_t output = task.outputs[position];
    if (owner_of(output) != output) return;  // a view
    const std::string who = task_name(index) + ": output " + value_name(output) + " overlaps ";
    const Range range = range_of(output);
    if (range.overlaps(scratch_of(index))) report(who + "scratch");
    for (int32_t other = 0; other < position; ++other) {
      if (owner_of(task.outputs[other]) == output) continue;  // a view of this very output
      if (range.overlaps(range_of(task.outputs[other]))) {
        report(who + "output " + value_name(task.outputs[other]));
      }
    }
    for (int32_t input = 0; input < count(task.inputs); ++input) {
      if (range.overlaps(range_of(task.inputs[input])) && !may_share(index, input, position)) {
        report(who + "input " + value_name(task.inputs[input]));
      }
    }
  }

  const StepProblem& problem_;
  const StepPlan& plan_;
  ArenaContents contents_;
  std::vector<std::string> defects_;
};

}  // namespace

std::vector<std::string> validate_plan(const StepProblem& problem, const StepPlan& plan) {
  return PlanValidator(problem, plan).validate();
}

}  // namespace plimsoll::plan
