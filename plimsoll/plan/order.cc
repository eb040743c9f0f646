#include "plimsoll/plan/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <tuple>

#include "plimsoll/base/error.h"
#include "plimsoll/plan/lifetimes.h"

namespace plimsoll::plan {
namespace {

using TaskLists = std::vector<std::vector<int32_t>>;

TaskLists successors(const TaskLists& before) {
  TaskLists after(before.size());
  for (size_t task = 0; task < before.size(); ++task) {
    for (const int32_t other : before[task]) after[other].push_back(static_cast<int32_t>(task));
  }
  return after;
}

enum class Prefer { lowest_index, last_released };

// Runs a task whose dependencies have run, of the lowest stage, until there is none. Tasks that
// wait for each other are missing from the result.
std::vector<int32_t> run_ready(const StepProblem& problem, const TaskLists& before, Prefer prefer) {
  const TaskLists after = successors(before);
  std::vector<size_t> waiting_for(before.size());
  std::vector<int32_t> order;
  std::set<std::tuple<int32_t, int64_t, int32_t>> ready;  // stage, preference, task
  const auto release = [&](int32_t task) {
    const int64_t preference =
        prefer == Prefer::last_released ? -static_cast<int64_t>(order.size()) : 0;
    ready.emplace(problem.tasks[task].stage, preference, task);
  };
  for (size_t task = 0; task < before.size(); ++task) {
    waiting_for[task] = before[task].size();
    if (waiting_for[task] == 0) release(static_cast<int32_t>(task));
  }
  while (!ready.empty()) {
    const int32_t task = std::get<2>(*ready.begin());
    ready.erase(ready.begin());
    order.push_back(task);
    for (const int32_t next : after[task]) {
      if (--waiting_for[next] == 0) release(next);
    }
  }
  return order;
}

// Of the tasks that are ready, always the one that leaves the fewest bytes live; of equals, the one
// that became ready last.
class LeastLive {
 public:
  LeastLive(const StepProblem& problem, const TaskLists& before)
      : problem_(problem),
        before_(before),
        after_(successors(before)),
        owners_(storage_owners(problem)),
        readers_(problem.values.size(), 0) {
    for (const Task& task : problem.tasks)
      for (const int32_t owner : arena_inputs(task)) ++readers_[owner];
    for (const int32_t value : problem.kept) ++readers_[owners_[value]];
  }

  std::vector<int32_t> run() {
    std::vector<size_t> waiting_for(before_.size());
    for (size_t task = 0; task < before_.size(); ++task) {
      waiting_for[task] = before_[task].size();
      if (waiting_for[task] == 0) ready_.push_back(static_cast<int32_t>(task));
    }
    std::vector<int32_t> order;
    while (!ready_.empty()) {
      const int32_t task = take_best();
      order.push_back(task);
      for (const int32_t owner : arena_inputs(problem_.tasks[task])) --readers_[owner];
      for (const int32_t next : after_[task])
        if (--waiting_for[next] == 0) ready_.push_back(next);
    }
    return order;
  }

 private:
  int32_t take_best() {
    size_t best = 0;
    std::pair<int32_t, int64_t> least = {std::numeric_limits<int32_t>::max(), 0};
    for (size_t i = ready_.size(); i-- > 0;) {
      const std::pair<int32_t, int64_t> rank = {problem_.tasks[ready_[i]].stage,
                                                growth(problem_.tasks[ready_[i]])};
      if (rank >= least) continue;
      least = rank;
      best = i;
    }
    const int32_t task = ready_[best];
    ready_.erase(ready_.begin() + static_cast<ptrdiff_t>(best));
    return task;
  }

  int64_t growth(const Task& task) const {
    int64_t bytes = 0;
    for (const int32_t output : task.outputs)
      if (owners_[output] == output && !problem_.values[output].external && readers_[output] > 0)
        bytes += problem_.values[output].bytes;
    for (const int32_t owner : arena_inputs(task))
      if (readers_[owner] == 1) bytes -= problem_.values[owner].bytes;
    return bytes;
  }

  // Each once.
  std::vector<int32_t> arena_inputs(const Task& task) const {
    std::vector<int32_t> found;
    for (const int32_t input : task.inputs)
      if (!problem_.values[owners_[input]].external) found.push_back(owners_[input]);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  const StepProblem& problem_;
  const TaskLists& before_;
  const TaskLists after_;
  const std::vector<int32_t> owners_;
  std::vector<int32_t> readers_;  // tasks that will read each owner
  std::vector<int32_t> ready_;    // in the order they became so
};

void check_legal(const StepProblem& problem, const std::vector<int32_t>& order) {
  if (order.size() != problem.tasks.size()) {
    throw InvalidArgument(fmt::format("step: {} tasks wait for each other, expected no cycle",
                                      problem.tasks.size() - order.size()));
  }
  for (size_t i = 1; i < order.size(); ++i) {
    if (problem.tasks[order[i]].stage < problem.tasks[order[i - 1]].stage) {
      throw InvalidArgument(
          fmt::format("step: task {} of stage {} waits for a task of a later stage", order[i],
                      problem.tasks[order[i]].stage));
    }
  }
}

// Each task comes right after the tasks that it needs: the dependencies of the first final task,
// that task, the remaining dependencies of the second, and so on. `legal` is any legal order.
std::vector<int32_t> post_order(const StepProblem& problem, const TaskLists& before,
                                const std::vector<int32_t>& legal) {
  struct Visit {
    int32_t task;
    size_t next_dependency;
  };
  const TaskLists after = successors(before);
  std::vector<int32_t> order;
  std::vector<char> seen(before.size(), 0);
  std::vector<Visit> stack;
  const auto enter = [&](int32_t task) {
    if (seen[task]) return;
    seen[task] = 1;
    stack.push_back({task, 0});
  };
  for (const int32_t root : legal) {
    // A task is final if no task of its own stage waits for it.
    const bool is_final = std::none_of(after[root].begin(), after[root].end(), [&](int32_t task) {
      return problem.tasks[task].stage == problem.tasks[root].stage;
    });
    if (!is_final) continue;
    enter(root);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next_dependency < before[visit.task].size()) {
        enter(before[visit.task][visit.next_dependency++]);
      } else {
        order.push_back(visit.task);
        stack.pop_back();
      }
    }
  }
  return order;
}

}  // namespace

std::vector<std::vector<int32_t>> dependencies(const StepProblem& problem) {
  const std::vector<int32_t> maker = makers(problem);
  TaskLists before(problem.tasks.size());
  for (size_t i = 0; i < problem.tasks.size(); ++i) {
    const Task& task = problem.tasks[i];
    const auto wait_for_makers = [&](int32_t value) {
      for (; value >= 0; value = problem.values[value].alias_of) {
        if (maker[value] >= 0) before[i].push_back(maker[value]);
      }
    };
    for (const int32_t output : task.outputs) wait_for_makers(output);
    std::erase(before[i], static_cast<int32_t>(i));  // it may make a value and a view of it
    for (const int32_t input : task.inputs) wait_for_makers(input);
    before[i].insert(before[i].end(), task.after.begin(), task.after.end());
    std::sort(before[i].begin(), before[i].end());
    before[i].erase(std::unique(before[i].begin(), before[i].end()), before[i].end());
  }
  return before;
}

std::vector<int32_t> choose_order(const StepProblem& problem) {
  check(problem);
  const TaskLists before = dependencies(problem);
  std::vector<int32_t> best = run_ready(problem, before, Prefer::lowest_index);
  check_legal(problem, best);
  const auto peak = [&](const std::vector<int32_t>& order) {
    return max_live_bytes(find_lifetimes(problem, order).offsets);
  };
  int64_t best_peak = peak(best);
  for (std::vector<int32_t> order :
       {run_ready(problem, before, Prefer::last_released), post_order(problem, before, best),
        LeastLive(problem, before).run()}) {
    const int64_t order_peak = peak(order);
    if (order_peak >= best_peak) continue;
    best_peak = order_peak;
    best = std::move(order);
  }
  return best;
}

}  // namespace plimsoll::plan
