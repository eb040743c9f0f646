#include "plimsoll/plan/recompute/spill.h"

#include <algorithm>
#include <utility>

#include "plimsoll/plan/lifetimes.h"

namespace plimsoll::plan {
namespace {

// The moments between two uses of a value, at which nothing needs it.
struct Gap {
  int32_t owner = 0;
  int32_t from = 0, to = 0;  // the uses
  bool is_taken = false;

  bool covers(int32_t moment) const { return from < moment && moment < to; }
};

bool is_view(const StepProblem& problem, const Task& task) {
  return task.outputs.size() == 1 && problem.values[at(task.outputs[0])].alias_of >= 0;
}

// Chooses gaps until at no moment more than the budget is live.
class GapChoice {
 public:
  GapChoice(const StepProblem& problem, std::span<const int32_t> order, int64_t budget,
            const SpillSpeed& speed)
      : problem_(problem), order_(order), owners_(storage_owners(problem)), speed_(speed) {
    find_live(budget);
    find_gaps();
  }

  bool run() {
    is_stored_.resize(problem_.values.size());
    for (;;) {
      const auto worst = std::ranges::max_element(over_);
      if (worst == over_.end() || *worst <= 0) return true;
      Gap* best = best_over(static_cast<int32_t>(worst - over_.begin()));
      if (best == nullptr) return false;
      take(*best);
    }
  }

  const std::vector<Gap>& gaps() const { return gaps_; }
  double seconds() const { return seconds_; }

 private:
  void find_live(int64_t budget) {
    over_.assign(order_.size(), -budget);
    const int32_t last = static_cast<int32_t>(order_.size()) - 1;  // what is kept lives on
    for (const Buffer& buffer : find_lifetimes(problem_, order_).offsets.buffers)
      for (int32_t t = buffer.first; t <= std::min(buffer.last, last); ++t)
        over_[at(t)] += rounded(buffer.bytes);
  }

  void find_gaps() {
    std::vector<int32_t> last(problem_.values.size(), -1);  // use of each owner, its making too
    const std::vector<bool> may_go = movable();
    const auto use = [&](int32_t value, int32_t moment, bool may_load) {
      const int32_t owner = owners_[at(value)];
      if (!may_go[at(owner)]) return;
      int32_t& before = last[at(owner)];
      if (may_load && before >= 0 && before + 1 < moment) gaps_.push_back({owner, before, moment});
      before = moment;
    };
    for (int32_t t = 0; t < static_cast<int32_t>(order_.size()); ++t) {
      const Task& task = problem_.tasks[at(order_[at(t)])];
      if (is_view(problem_, task)) continue;
      for (const int32_t value : task.inputs) use(value, t, task.stage == 0);
      for (const int32_t value : task.outputs) use(value, t, false);
    }
  }

  // True for owners that a task makes in the arena and all of whose views are made by tasks that do
  // nothing else.
  std::vector<bool> movable() const {
    const std::vector<int32_t> maker = makers(problem_);
    std::vector<bool> may_go(problem_.values.size());
    for (size_t v = 0; v < may_go.size(); ++v) {
      const Value& value = problem_.values[v];
      may_go[v] = !value.external && value.bytes > 0 && maker[v] >= 0;
    }
    for (size_t v = 0; v < may_go.size(); ++v) {
      const int32_t base = problem_.values[v].alias_of;
      if (base < 0) continue;
      const bool is_plain = maker[v] >= 0 && is_view(problem_, problem_.tasks[at(maker[v])]) &&
                            problem_.tasks[at(maker[v])].inputs == std::vector<int32_t>{base};
      if (!is_plain) may_go[at(owners_[v])] = false;
    }
    for (const int32_t value : problem_.kept) may_go[at(owners_[at(value)])] = false;
    return may_go;
  }

  // Prefers gaps that free many bytes for long while too much is live, and that take little time.
  Gap* best_over(int32_t moment) {
    std::vector<int32_t> full(over_.size() + 1);  // how many moments before are over the budget
    for (size_t t = 0; t < over_.size(); ++t) full[t + 1] = full[t] + (over_[t] > 0);
    Gap* best = nullptr;
    double best_price = 0;
    for (Gap& gap : gaps_) {
      if (gap.is_taken || !gap.covers(moment)) continue;
      const double price = seconds_of(gap) / (full[at(gap.to)] - full[at(gap.from) + 1]);
      const double bytes = static_cast<double>(problem_.values[at(gap.owner)].bytes);
      if (best != nullptr && price / bytes >= best_price) continue;
      best = &gap;
      best_price = price / bytes;
    }
    return best;
  }

  double seconds_of(const Gap& gap) const {
    const auto bytes = static_cast<double>(problem_.values[at(gap.owner)].bytes);
    return bytes / speed_.read_bytes_per_second +
           (is_stored_[at(gap.owner)] ? 0 : bytes / speed_.write_bytes_per_second);
  }

  void take(Gap& gap) {
    seconds_ += seconds_of(gap);
    gap.is_taken = true;
    is_stored_[at(gap.owner)] = true;
    for (int32_t t = gap.from + 1; t < gap.to; ++t)
      over_[at(t)] -= rounded(problem_.values[at(gap.owner)].bytes);
  }

  int64_t rounded(int64_t bytes) const {
    return (bytes + problem_.alignment - 1) / problem_.alignment * problem_.alignment;
  }

  const StepProblem& problem_;
  std::span<const int32_t> order_;
  std::vector<int32_t> owners_;
  SpillSpeed speed_;
  std::vector<int64_t> over_;  // of each moment, what is live less the budget
  std::vector<Gap> gaps_;
  std::vector<bool> is_stored_;
  double seconds_ = 0;
};

// Writes the step anew, with the transfers in it.
class Rewriting {
 public:
  Rewriting(const StepProblem& problem, std::span<const int32_t> order)
      : given_(problem), order_(order), owners_(storage_owners(problem)) {
    step_.problem = problem;
    for (int32_t i = 0; i < static_cast<int32_t>(problem.tasks.size()); ++i)
      step_.task_origins.push_back(i);
    for (int32_t i = 0; i < static_cast<int32_t>(problem.values.size()); ++i)
      step_.value_origins.push_back(i);
    current_ = step_.value_origins;
    made_for_.resize(problem.values.size());
    loads_.resize(problem.values.size());
    store_tasks_.assign(problem.values.size(), -1);
    slots_.assign(problem.values.size(), -1);
  }

  SpilledStep run(const std::vector<Gap>& gaps) {
    std::vector<std::vector<int32_t>> stores(order_.size()), loads(order_.size());  // owners
    for (const Gap& gap : gaps) {
      if (!gap.is_taken) continue;
      stores[at(gap.from)].push_back(gap.owner);
      loads[at(gap.to)].push_back(gap.owner);
    }
    for (size_t t = 0; t < order_.size(); ++t) {
      for (const int32_t owner : loads[t]) load(owner);
      copy(order_[t]);
      for (const int32_t owner : stores[t]) store(owner);
    }
    return std::move(step_);
  }

 private:
  void copy(int32_t index) {
    Task& task = step_.problem.tasks[at(index)];
    const int32_t stage = task.stage;
    std::vector<int32_t> inputs = task.inputs;
    for (int32_t& input : inputs) input = now(input, stage);
    // now() may have added tasks.
    Task& same = step_.problem.tasks[at(index)];
    same.inputs = inputs;
    if (is_view(given_, same)) {
      step_.problem.values[at(same.outputs[0])].alias_of = inputs[0];
      made_for_[at(same.outputs[0])] = loads_[at(owners_[at(same.outputs[0])])];
    }
    step_.order.push_back(index);
  }

  // The current copy of the value. A view of a value that was read back is made when it is needed.
  int32_t now(int32_t value, int32_t stage) {
    const int32_t owner = owners_[at(value)];
    if (owner == value || made_for_[at(value)] == loads_[at(owner)]) return current_[at(value)];
    const int32_t base = now(given_.values[at(value)].alias_of, stage);
    Task view{.inputs = {base}, .stage = stage};
    const int32_t made = add_value(value, base);
    view.outputs = {made};
    add_task(std::move(view), view_maker(value));
    made_for_[at(value)] = loads_[at(owner)];
    return current_[at(value)] = made;
  }

  int32_t view_maker(int32_t value) {
    if (makers_.empty()) makers_ = makers(given_);
    return makers_[at(value)];
  }

  void load(int32_t owner) {
    ++loads_[at(owner)];
    const int32_t made = add_value(owner, -1);
    const int32_t task =
        add_task({.outputs = {made}, .after = {store_tasks_[at(owner)]}, .may_repeat = false}, -1);
    step_.transfers.push_back({task, false, slots_[at(owner)]});
    current_[at(owner)] = made;
  }

  void store(int32_t owner) {
    if (store_tasks_[at(owner)] >= 0) return;  // the file has it
    constexpr int64_t kPage = 4096;
    slots_[at(owner)] = step_.file_bytes;
    step_.file_bytes += (given_.values[at(owner)].bytes + kPage - 1) / kPage * kPage;
    store_tasks_[at(owner)] = add_task({.inputs = {current_[at(owner)]}, .may_repeat = false}, -1);
    step_.transfers.push_back({store_tasks_[at(owner)], true, slots_[at(owner)]});
  }

  int32_t add_task(Task task, int32_t origin) {
    step_.problem.tasks.push_back(std::move(task));
    step_.task_origins.push_back(origin);
    step_.order.push_back(static_cast<int32_t>(step_.problem.tasks.size()) - 1);
    return step_.order.back();
  }

  int32_t add_value(int32_t origin, int32_t alias_of) {
    step_.problem.values.push_back({given_.values[at(origin)].bytes, false, alias_of});
    step_.value_origins.push_back(origin);
    return static_cast<int32_t>(step_.problem.values.size()) - 1;
  }

  const StepProblem& given_;
  std::span<const int32_t> order_;
  std::vector<int32_t> owners_, makers_;
  SpilledStep step_;
  std::vector<int32_t> current_;   // the current copy of each value
  std::vector<int32_t> loads_;     // how often each owner was read back
  std::vector<int32_t> made_for_;  // of views: the number of loads of the owner when it was made
  std::vector<int32_t> store_tasks_;
  std::vector<int64_t> slots_;  // in the file
};

}  // namespace

std::optional<SpilledStep> spill_within(const StepProblem& problem, std::span<const int32_t> order,
                                        int64_t budget_bytes, const SpillSpeed& speed) {
  GapChoice choice(problem, order, budget_bytes, speed);
  if (!choice.run()) return std::nullopt;
  SpilledStep step = Rewriting(problem, order).run(choice.gaps());
  step.extra_seconds = choice.seconds();
  return step;
}

}  // namespace plimsoll::plan
