#include "plimsoll/plan/recompute_walk.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace plimsoll::plan {
namespace {

constexpr int32_t kNever = std::numeric_limits<int32_t>::max();
constexpr int32_t kDepthLimit = 2000;
constexpr int32_t kCostVisits = 256;
constexpr double kOverhead = 1e-6;  // seconds to run any task at all

}  // namespace

RecomputeWalk::RecomputeWalk(const RecomputeFacts& facts, const Drops& drops, int64_t budget,
                             const Options& options)
    : facts_(facts),
      drops_(drops),
      budget_(budget),
      options_(options),
      states_(facts.problem.values.size()),
      has_run_(facts.problem.tasks.size(), false),
      copies_left_(8 * static_cast<int64_t>(facts.problem.tasks.size()) + 64) {
  if (options.records) result_.problem = facts.problem;
  const auto values = static_cast<int32_t>(facts.problem.values.size());
  for (int32_t v = 0; v < values; ++v) {
    const bool is_there = facts.makers[at(v)] == -1;
    current_.push_back(is_there ? v : -1);
    if (is_there && !facts.is_view(v) && facts.in_arena(v)) hold(v, facts.bytes(v));
  }
  if (!options.records) return;
  const auto tasks = static_cast<int32_t>(facts.problem.tasks.size());
  for (int32_t t = 0; t < tasks; ++t) result_.task_origins.push_back(t);
  for (int32_t v = 0; v < values; ++v) result_.value_origins.push_back(v);
}

RecomputedStep RecomputeWalk::take() {
  result_.extra_seconds = extra_seconds_;
  return std::move(result_);
}

bool RecomputeWalk::run() {
  const auto values = static_cast<int32_t>(facts_.problem.values.size());
  for (int32_t v = 0; v < values; ++v)
    if (facts_.makers[at(v)] == -1) emit_views(v);
  for (size_t moment = 0; moment < facts_.order.size(); ++moment) {
    now_ = static_cast<int32_t>(moment);
    const int32_t index = facts_.order[moment];
    is_over_ = false;
    if (!facts_.plain_views[at(index)] && !execute(index)) return false;
    over_.push_back((over_.empty() ? 0 : over_.back()) + (is_over_ ? 1 : 0));
  }
  return true;
}

int32_t RecomputeWalk::next_use(int32_t owner) {
  const std::vector<int32_t>& uses = facts_.uses[at(owner)];
  size_t& next = state(owner).next_use;
  while (next < uses.size() && uses[next] <= now_) ++next;
  return next < uses.size() ? uses[next] : kNever;
}

// Will anybody in the given order read it after this moment?
bool RecomputeWalk::is_needed_later(int32_t owner) const {
  const std::vector<int32_t>& uses = facts_.uses[at(owner)];
  return facts_.is_kept[at(owner)] || (!uses.empty() && uses.back() > now_);
}

// From now to the next use.
Fate RecomputeWalk::fate(int32_t owner) {
  if (next_use(owner) == kNever) return Fate::kept;
  return drops_.of({owner, static_cast<int32_t>(state(owner).next_use)});
}

void RecomputeWalk::hold(int32_t owner, int64_t bytes) {
  state(owner).resident = true;
  state(owner).held_bytes = bytes;
  state(owner).times.push_back(now_);
  live_ += facts_.rounded(bytes);
}

void RecomputeWalk::drop(int32_t owner) {
  live_ -= facts_.rounded(state(owner).held_bytes);
  state(owner).resident = false;
  state(owner).held_bytes = 0;
  state(owner).times.push_back(now_);
}

// Runs a task, as itself the first time and then as a copy.
bool RecomputeWalk::execute(int32_t index) {
  const Task& task = facts_.task(index);
  const std::vector<int32_t>& read = facts_.read[at(index)];
  if (!bring(read)) return false;
  const std::vector<Taken> taken = overwrites(task);
  if (!make_room(task, taken)) return false;
  emit(index, taken);
  for (const int32_t owner : read) --state(owner).pins;
  // Overwritten inputs hand their buffers on.
  for (const Taken& it : taken) {
    const int64_t held = state(it.input).held_bytes;
    drop(it.input);
    hold(it.output, held);
  }
  const std::vector<int32_t>& made = facts_.made[at(index)];
  for (const int32_t owner : made)
    if (!state(owner).resident) hold(owner, facts_.bytes(owner));
  release(read);
  release(made);
  return true;
}

// Drops what nobody will ask for, and what is to be dropped until then.
void RecomputeWalk::release(std::span<const int32_t> owners) {
  for (const int32_t owner : owners) {
    if (!state(owner).resident || state(owner).pins > 0) continue;
    const Fate least = depth_ == 0 ? Fate::dropped : Fate::dropped_again;
    if (!is_needed_later(owner) || fate(owner) >= least) drop(owner);
  }
}

// Makes the owners resident and pins them.
bool RecomputeWalk::bring(std::span<const int32_t> owners) {
  for (const int32_t owner : owners) ++state(owner).pins;
  for (const int32_t owner : owners) {
    if (state(owner).resident) continue;
    const int32_t maker = facts_.makers[at(owner)];
    if (!facts_.may_repeat(maker) || --copies_left_ < 0 || depth_ > kDepthLimit) return false;
    ++depth_;
    const bool made = execute(maker);
    --depth_;
    if (!made) return false;
  }
  return true;
}

// Those of inputs that end here, by the rules of find_lifetimes.
std::vector<RecomputeWalk::Taken> RecomputeWalk::overwrites(const Task& task) {
  std::vector<Taken> taken;
  for (const Overwrite& row : task.may_overwrite) {
    const int32_t output = task.outputs[at(row.output)];
    const int32_t input = facts_.owners[at(task.inputs[at(row.input)])];
    if (!facts_.in_arena(input) || facts_.is_view(output) || !facts_.in_arena(output)) continue;
    if (state(output).resident || state(input).pins != 1 || is_needed_later(input)) continue;
    if (facts_.bytes(output) > state(input).held_bytes) continue;
    const auto is_it = [&](int32_t v) { return facts_.owners[at(v)] == input; };
    const auto is_taken = [&](const Taken& it) { return it.input == input || it.output == output; };
    if (std::ranges::count_if(task.inputs, is_it) != 1 ||
        std::ranges::any_of(task.outputs, is_it) || std::ranges::any_of(taken, is_taken))
      continue;
    taken.push_back({row, input, output});
  }
  return taken;
}

bool RecomputeWalk::make_room(const Task& task, std::span<const Taken> taken) {
  int64_t need = facts_.rounded(task.scratch_bytes);
  for (const int32_t output : task.outputs) {
    const auto is_it = [&](const Taken& it) { return it.output == output; };
    if (!facts_.is_view(output) && facts_.in_arena(output) && std::ranges::none_of(taken, is_it))
      need += facts_.rounded(facts_.bytes(output));
  }
  while (options_.evicts && live_ + need > budget_)
    if (!evict_one(task)) return false;
  if (live_ + need > budget_) is_over_ = true;
  if (live_ + need > peak_) note_peak(task, live_ + need);
  return true;
}

void RecomputeWalk::note_peak(const Task& task, int64_t bytes) {
  peak_ = bytes;
  if (bytes <= budget_) return;
  at_peak_.clear();
  for (size_t o = 0; o < states_.size(); ++o) {
    const auto owner = static_cast<int32_t>(o);
    if (!may_evict(owner, task)) continue;
    const Gap gap{owner, static_cast<int32_t>(state(owner).next_use)};
    if (drops_.of(gap) != Fate::dropped_again) at_peak_.push_back(gap);
  }
}

bool RecomputeWalk::evict_one(const Task& running) {
  int32_t chosen = -1;
  double lowest = std::numeric_limits<double>::infinity();
  for (size_t o = 0; o < states_.size(); ++o) {
    const auto owner = static_cast<int32_t>(o);
    if (!may_evict(owner, running)) continue;
    int32_t visits = kCostVisits;
    const double distance = next_use(owner) - now_;
    const double cost = cost_of(facts_.makers[o], now_, visits).value_or(1e9);
    const double score = cost / distance / static_cast<double>(state(owner).held_bytes);
    if (score >= lowest) continue;
    lowest = score;
    chosen = owner;
  }
  if (chosen >= 0) drop(chosen);
  return chosen >= 0;
}

bool RecomputeWalk::may_evict(int32_t owner, const Task& running) {
  const State& it = states_[at(owner)];
  if (!it.resident || it.pins > 0 || it.held_bytes == 0 || facts_.is_kept[at(owner)]) return false;
  if (!facts_.may_repeat(facts_.makers[at(owner)])) return false;
  // What it is made of may have changed when a later stage runs, and may be gone.
  const int32_t use = next_use(owner);
  return running.stage == 0 && use != kNever && facts_.task(facts_.order[at(use)]).stage == 0;
}

bool RecomputeWalk::was_resident(int32_t owner, int32_t moment) const {
  const State& it = states_[at(owner)];
  if (moment == now_) return it.resident;
  for (size_t i = 0; i < it.times.size(); i += 2) {
    const int32_t end = i + 1 < it.times.size() ? it.times[i + 1] : kNever;
    if (it.times[i] <= moment && moment <= end) return true;
  }
  return false;
}

std::optional<double> RecomputeWalk::cost(const Gap& gap) const {
  int32_t visits = kCostVisits;
  return cost_of(facts_.makers[at(gap.owner)], facts_.uses[at(gap.owner)][at(gap.use)], visits);
}

int32_t RecomputeWalk::moments_over(const Gap& gap) const {
  const std::vector<int32_t>& uses = facts_.uses[at(gap.owner)];
  const int32_t from = gap.use > 0 ? uses[at(gap.use - 1)] : states_[at(gap.owner)].times[0];
  return over_[at(std::max(0, uses[at(gap.use)] - 1))] - over_[at(from)];
}

std::optional<double> RecomputeWalk::cost_of(int32_t maker, int32_t moment, int32_t& visits) const {
  if (!facts_.may_repeat(maker) || --visits < 0) return std::nullopt;
  double seconds = facts_.task(maker).seconds + kOverhead;
  for (const int32_t owner : facts_.read[at(maker)]) {
    if (was_resident(owner, moment)) continue;
    const auto before = cost_of(facts_.makers[at(owner)], moment, visits);
    if (!before) return std::nullopt;
    seconds += *before;
  }
  return seconds;
}

// The task is left with the overwrites that are taken: one that only looks possible afterwards,
// because its input is dropped, would keep a larger buffer than was counted.
void RecomputeWalk::emit(int32_t index, std::span<const Taken> taken) {
  const bool is_copy = has_run_[at(index)];
  has_run_[at(index)] = true;
  if (is_copy) extra_seconds_ += facts_.task(index).seconds;
  if (!options_.records) return;
  Task task = facts_.task(index);
  task.may_overwrite.clear();
  for (const Taken& it : taken) task.may_overwrite.push_back(it.row);
  for (int32_t& input : task.inputs) input = value_now(input);
  const std::vector<int32_t>& outputs = facts_.task(index).outputs;
  for (const bool views : {false, true})
    for (size_t i = 0; i < outputs.size(); ++i)
      if (facts_.is_view(outputs[i]) == views) task.outputs[i] = new_value(outputs[i], is_copy);
  result_.order.push_back(add_task(std::move(task), index, is_copy));
  if (is_copy) return;
  for (const int32_t output : outputs) emit_views(output);
}

void RecomputeWalk::emit_views(int32_t of) {
  for (const int32_t index : facts_.view_tasks[at(of)]) emit(index, {});
}

int32_t RecomputeWalk::add_task(Task task, int32_t origin, bool is_copy) {
  if (!is_copy) {
    result_.problem.tasks[at(origin)] = std::move(task);
    return origin;
  }
  result_.problem.tasks.push_back(std::move(task));
  result_.task_origins.push_back(origin);
  return static_cast<int32_t>(result_.problem.tasks.size()) - 1;
}

// The number of a value that is about to be made; views of the one before are void.
int32_t RecomputeWalk::new_value(int32_t origin, bool is_copy) {
  const int32_t made = is_copy ? copy_value(origin) : origin;
  if (const int32_t alias = facts_.problem.values[at(origin)].alias_of; alias >= 0) {
    const int32_t now = value_now(alias);  // may add values
    result_.problem.values[at(made)].alias_of = now;
  }
  // Where the older one is still there, readers stay with it.
  const int32_t owner = facts_.owners[at(origin)];
  if (owner == origin && is_copy && state(owner).resident) return made;
  current_[at(origin)] = made;
  if (owner == origin)
    for (const int32_t view : facts_.views[at(owner)]) current_[at(view)] = -1;
  return made;
}

// The copy that readers read now. A view of a copy needs no task.
int32_t RecomputeWalk::value_now(int32_t origin) {
  if (current_[at(origin)] >= 0) return current_[at(origin)];
  return facts_.is_view(origin) ? new_value(origin, true) : origin;
}

int32_t RecomputeWalk::copy_value(int32_t origin) {
  result_.problem.values.push_back(facts_.problem.values[at(origin)]);
  result_.value_origins.push_back(origin);
  return static_cast<int32_t>(result_.problem.values.size()) - 1;
}

}  // namespace plimsoll::plan
