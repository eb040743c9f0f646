#include "plimsoll/plan/recompute/recompute_walk.h"

#include <algorithm>

namespace plimsoll::plan {
namespace {

constexpr int32_t kDepthLimit = 2000;
constexpr int32_t kCostVisits = 24;
constexpr double kOverhead = 1e-6;  // seconds to run any task at all

}  // namespace

RecomputeWalk::RecomputeWalk(const RecomputeFacts& facts)
    : facts_(facts), states_(facts.problem.values.size()), asked_(states_.size()) {}

bool RecomputeWalk::run(const Drops& drops, bool records) {
  records_ = records;
  begin(drops);
  bool done = true;
  const size_t end = records ? facts_.order.size() : facts_.moments_of_stage_0;
  for (size_t moment = 0; done && moment < end; ++moment) {
    now_ = static_cast<int32_t>(moment);
    const int32_t task = facts_.order[moment];
    if (!facts_.plain_views[at(task)]) done = execute(task);
  }
  work_ += run_;
  return done;
}

void RecomputeWalk::begin(const Drops& drops) {
  drops_ = &drops;
  live_bytes_.clear();
  moments_.clear();
  kept_.clear();
  dropped_.clear();
  runs_.clear();
  has_run_.assign(facts_.problem.tasks.size(), false);
  copies_left_ = 8 * static_cast<int64_t>(facts_.problem.tasks.size()) + 64;
  live_ = peak_ = 0;
  extra_seconds_ = 0;
  now_ = run_ = depth_ = 0;
  for (size_t v = 0; v < states_.size(); ++v) {
    State& it = states_[v];
    it.resident = false;
    it.pins = it.gap = it.touch = it.touched = 0;
    it.times.clear();
    const auto value = static_cast<int32_t>(v);
    if (facts_.makers[v] == -1 && !facts_.is_view(value) && facts_.in_arena(value))
      hold(value, facts_.bytes(value));
  }
}

// True if a value is dropped at this point, provided that no waiting task needs it.
bool RecomputeWalk::goes(const DropPoint& place) const {
  if (facts_.is_kept[at(place.owner)]) return false;
  const bool is_behind = at(place.gap) == facts_.uses[at(place.owner)].size();
  return is_behind != drops_->is_changed(place);
}

// The drop point of a value after the running task has read it.
DropPoint RecomputeWalk::after_read(int32_t owner) const {
  const State& it = states_[at(owner)];
  if (depth_ == 0) return {owner, it.gap + 1, 0};
  return {owner, it.gap, it.touch + 1};
}

void RecomputeWalk::hold(int32_t owner, int64_t bytes) {
  State& it = state(owner);
  it.resident = true;
  it.held_bytes = bytes;
  it.touched = run_;
  it.times.push_back(run_);
  live_ += facts_.rounded(bytes);
}

void RecomputeWalk::drop(int32_t owner) {
  State& it = state(owner);
  live_ -= facts_.rounded(it.held_bytes);
  it.resident = false;
  it.times.push_back(run_);
}

// Runs a task, even if it has run before.
bool RecomputeWalk::execute(int32_t task) {
  if (!bring(task)) return false;
  find_overwrites(facts_.task(task));
  note(task);
  finish(task);
  ++run_;
  return true;
}

// Makes the values that the task reads resident and pins them.
bool RecomputeWalk::bring(int32_t task) {
  const std::vector<int32_t>& owners = facts_.read[at(task)];
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

// Counts the bytes that are live while the task runs.
void RecomputeWalk::note(int32_t task) {
  int64_t live = live_ + facts_.rounded(facts_.task(task).scratch_bytes);
  for (const int32_t owner : facts_.made[at(task)]) live += facts_.rounded(facts_.bytes(owner));
  for (const Taken& it : taken_) live -= facts_.rounded(facts_.bytes(it.output));
  peak_ = std::max(peak_, live);
  live_bytes_.push_back(live);
  moments_.push_back(now_);
  if (has_run_[at(task)]) extra_seconds_ += facts_.task(task).seconds;
  has_run_[at(task)] = true;
  if (!records_) return;
  runs_.push_back({.task = task});
  for (const Taken& it : taken_) runs_.back().taken.push_back(it.row);
  for (const int32_t owner : facts_.made[at(task)])
    if (state(owner).resident) runs_.back().still_there.push_back(owner);
}

// Overwritten inputs hand their buffers on; some of the other inputs and outputs are dropped at
// once.
void RecomputeWalk::finish(int32_t task) {
  for (const int32_t owner : facts_.read[at(task)]) --state(owner).pins;
  for (const Taken& it : taken_) {
    const int64_t held_bytes = state(it.input).held_bytes;
    read(it.input);
    hold(it.output, held_bytes);
  }
  for (const int32_t owner : facts_.made[at(task)])
    if (!state(owner).resident) hold(owner, facts_.bytes(owner));
  for (const int32_t owner : facts_.read[at(task)])
    if (std::ranges::find(taken_, owner, &Taken::input) == taken_.end()) read(owner);
  for (const int32_t owner : facts_.made[at(task)])
    if (state(owner).touched == run_) made(owner);
}

void RecomputeWalk::read(int32_t owner) {
  State& it = state(owner);
  if (run_ - it.touched > 1 && facts_.may_drop(owner, it.gap))
    kept_.push_back({{owner, it.gap, it.touch}, it.touched, run_});
  const DropPoint after = after_read(owner);
  it.gap = after.gap;
  it.touch = after.touch;
  it.touched = run_;
  if (it.pins == 0 && goes(after)) drop(owner);
}

// An output that was not wanted, made together with one that was, may be dropped again.
void RecomputeWalk::made(int32_t owner) {
  State& it = state(owner);
  const bool is_first = it.times.size() == 1;
  if (it.pins > 0) {
    dropped_.push_back({{owner, it.gap, it.touch}, it.times[it.times.size() - 2], run_});
    return;
  }
  if (!is_first) ++it.touch;
  if (goes({owner, it.gap, it.touch})) drop(owner);
}

// The overwrites of inputs whose life ends here, by the rules of find_lifetimes.
void RecomputeWalk::find_overwrites(const Task& task) {
  taken_.clear();
  for (const Overwrite& row : task.may_overwrite) {
    const int32_t output = task.outputs[at(row.output)];
    const int32_t input = facts_.owners[at(task.inputs[at(row.input)])];
    const auto has = [&](const Taken& it) { return it.input == input || it.output == output; };
    if (may_take(task, input, output) && std::ranges::none_of(taken_, has))
      taken_.push_back({row, input, output});
  }
}

bool RecomputeWalk::may_take(const Task& task, int32_t input, int32_t output) const {
  if (!facts_.in_arena(input) || facts_.is_view(output) || !facts_.in_arena(output)) return false;
  const State& from = states_[at(input)];
  if (states_[at(output)].resident || from.pins != 1 || !goes(after_read(input))) return false;
  if (facts_.bytes(output) > from.held_bytes) return false;
  const auto is_it = [&](int32_t value) { return facts_.owners[at(value)] == input; };
  return std::ranges::count_if(task.inputs, is_it) == 1 &&
         std::ranges::none_of(task.outputs, is_it);
}

std::optional<double> RecomputeWalk::cost(const Idle& kept, double share_of_early) {
  ++question_;
  wanted_.assign(1, kept.place.owner);
  early_.clear();
  double seconds = 0;
  int32_t visits = 0;
  for (; !wanted_.empty(); ++visits) {
    const int32_t maker = facts_.makers[at(wanted_.back())];
    wanted_.pop_back();
    if (visits == kCostVisits || !facts_.may_repeat(maker)) return std::nullopt;
    seconds += facts_.task(maker).seconds + kOverhead;
    ask_for_inputs(maker, kept.to);
  }
  if (share_of_early == 0) return seconds;
  for (; !early_.empty() && visits < kCostVisits; ++visits) {
    const int32_t maker = facts_.makers[at(early_.back())];
    early_.pop_back();
    seconds += share_of_early * facts_.task(maker).seconds;
    ask_for_inputs(maker, kept.to);
    early_.insert(early_.end(), wanted_.begin(), wanted_.end());
    wanted_.clear();
  }
  return seconds;
}

// Puts the values that a task reads and that are not in memory on the lists of cost().
void RecomputeWalk::ask_for_inputs(int32_t task, int32_t run) {
  ++work_;
  for (const int32_t input : facts_.read[at(task)]) {
    if (asked_[at(input)] == question_ || is_there(input, run)) continue;
    asked_[at(input)] = question_;
    const bool is_made_anyway = facts_.uses[at(input)].back() >= moments_[at(run)];
    (is_made_anyway ? early_ : wanted_).push_back(input);
  }
}

bool RecomputeWalk::is_there(int32_t owner, int32_t run) const {
  const std::vector<int32_t>& times = states_[at(owner)].times;
  for (size_t i = 0; i < times.size(); i += 2)
    if (times[i] <= run && (i + 1 == times.size() || run <= times[i + 1])) return true;
  return false;
}

}  // namespace plimsoll::plan
