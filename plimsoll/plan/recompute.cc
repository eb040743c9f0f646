#include "plimsoll/plan/recompute.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace plimsoll::plan {
namespace {

// What makes a value cheap to drop, as powers of its cost, its size and the distance to its use.
struct Score {
  bool by_cost, by_size, by_distance;
};
constexpr std::array kScores = {Score{true, true, true}, Score{true, true, false},
                                Score{false, true, true}, Score{true, false, true}};

constexpr int32_t kNever = std::numeric_limits<int32_t>::max();

// What of a step does not change while it is tried in several ways. Owners are values with storage
// of their own; views have that of their owner.
class Facts {
 public:
  Facts(const StepProblem& given, std::span<const int32_t> given_order)
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
    for (size_t moment = 0; moment < order.size(); ++moment) add_uses(moment);
  }

  static size_t at(int32_t index) { return static_cast<size_t>(index); }
  const Task& task(int32_t index) const { return problem.tasks[at(index)]; }
  bool in_arena(int32_t owner) const { return !problem.values[at(owner)].external; }
  int64_t bytes(int32_t value) const { return problem.values[at(value)].bytes; }
  int64_t rounded(int64_t bytes) const {
    return (bytes + problem.alignment - 1) / problem.alignment * problem.alignment;
  }

  bool is_view(int32_t value) const { return owners[at(value)] != value; }
  // A task that makes a view and nothing else. It runs as soon as there is something to view.
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

  const StepProblem& problem;
  std::span<const int32_t> order;
  std::vector<int32_t> owners, makers;
  std::vector<bool> is_kept;                     // of owners
  std::vector<std::vector<int32_t>> uses;        // of each owner, the moments at which it is read
  std::vector<std::vector<int32_t>> views;       // of each owner
  std::vector<std::vector<int32_t>> view_tasks;  // of each value, the plain views of it

 private:
  void add_uses(size_t moment) {
    if (is_plain_view(order[moment])) return;
    for (const int32_t input : task(order[moment]).inputs) {
      std::vector<int32_t>& of = uses[at(owners[at(input)])];
      if (of.empty() || of.back() != static_cast<int32_t>(moment))
        of.push_back(static_cast<int32_t>(moment));
    }
  }
};

// Walks through the order once, dropping by one score what does not fit.
class Simulation {
 public:
  Simulation(const Facts& facts, int64_t budget, const Score& score)
      : facts_(facts), budget_(budget), score_(score), states_(facts.problem.values.size()) {
    const auto count = static_cast<int32_t>(facts.problem.values.size());
    result_.problem = facts.problem;
    for (int32_t v = 0; v < count; ++v) {
      result_.value_origins.push_back(v);
      current_.push_back(facts.makers[at(v)] == -1 ? v : -1);
      if (facts.makers[at(v)] == -1 && !facts.is_view(v) && facts.in_arena(v))
        hold(v, facts.bytes(v));
    }
    const auto tasks = static_cast<int32_t>(facts.problem.tasks.size());
    for (int32_t t = 0; t < tasks; ++t) result_.task_origins.push_back(t);
    has_run_.assign(facts.problem.tasks.size(), false);
    copies_left_ = 8 * static_cast<int64_t>(tasks) + 64;
  }

  bool run() {
    const auto count = static_cast<int32_t>(facts_.problem.values.size());
    for (int32_t v = 0; v < count; ++v)
      if (facts_.makers[at(v)] == -1) emit_views(v);
    for (size_t moment = 0; moment < facts_.order.size(); ++moment) {
      now_ = static_cast<int32_t>(moment);
      const int32_t index = facts_.order[moment];
      if (!facts_.is_plain_view(index) && !execute(index)) return false;
    }
    return true;
  }

  RecomputedStep take() { return std::move(result_); }

 private:
  struct State {
    bool resident = false;
    int32_t pins = 0;        // running or waiting tasks that read it
    int64_t held_bytes = 0;  // of its buffer, which may be larger where it took another's place
    size_t next_use = 0;     // in Facts::uses
  };

  static size_t at(int32_t index) { return static_cast<size_t>(index); }
  State& state(int32_t owner) { return states_[at(owner)]; }

  int32_t next_use(int32_t owner) {
    const std::vector<int32_t>& uses = facts_.uses[at(owner)];
    size_t& next = state(owner).next_use;
    while (next < uses.size() && uses[next] < now_) ++next;
    return next < uses.size() ? uses[next] : kNever;
  }
  // Will anybody in the given order read it after this moment?
  bool is_needed_later(int32_t owner) {
    if (facts_.is_kept[at(owner)]) return true;
    const std::vector<int32_t>& uses = facts_.uses[at(owner)];
    return !uses.empty() && uses.back() > now_;
  }

  void hold(int32_t owner, int64_t held) {
    state(owner).resident = true;
    state(owner).held_bytes = held;
    live_ += facts_.rounded(held);
  }
  void drop(int32_t owner) {
    live_ -= facts_.rounded(state(owner).held_bytes);
    state(owner).resident = false;
    state(owner).held_bytes = 0;
  }

  std::vector<int32_t> arena_owners(std::span<const int32_t> values) const {
    std::vector<int32_t> owners;
    for (const int32_t value : values) {
      const int32_t owner = facts_.owners[at(value)];
      if (facts_.in_arena(owner) && std::ranges::find(owners, owner) == owners.end())
        owners.push_back(owner);
    }
    return owners;
  }

  // Runs a task, as itself the first time and then as a copy.
  bool execute(int32_t index) {
    const Task& task = facts_.task(index);
    const std::vector<int32_t> read = arena_owners(task.inputs);
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
    for (const int32_t owner : arena_owners(task.outputs))
      if (!state(owner).resident) hold(owner, facts_.bytes(owner));
    release(read);
    release(arena_owners(task.outputs));
    return true;
  }

  // Drops what nobody will ask for. What this very moment waits for is pinned.
  void release(std::span<const int32_t> owners) {
    for (const int32_t owner : owners)
      if (state(owner).resident && state(owner).pins == 0 && !is_needed_later(owner)) drop(owner);
  }

  // Makes the owners resident and pins them.
  bool bring(std::span<const int32_t> owners) {
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

  // An overwrite that is taken.
  struct Taken {
    Overwrite row;
    int32_t input, output;  // owners
  };

  // Those of inputs that end here, by the rules of find_lifetimes.
  std::vector<Taken> overwrites(const Task& task) {
    std::vector<Taken> taken;
    for (const Overwrite& row : task.may_overwrite) {
      const int32_t output = task.outputs[at(row.output)];
      const int32_t input = facts_.owners[at(task.inputs[at(row.input)])];
      if (!facts_.in_arena(input) || facts_.is_view(output) || !facts_.in_arena(output)) continue;
      if (state(output).resident || state(input).pins != 1 || is_needed_later(input)) continue;
      if (facts_.bytes(output) > state(input).held_bytes) continue;
      const auto is_it = [&](int32_t v) { return facts_.owners[at(v)] == input; };
      const auto is_taken = [&](const Taken& it) {
        return it.input == input || it.output == output;
      };
      if (std::ranges::count_if(task.inputs, is_it) != 1 ||
          std::ranges::any_of(task.outputs, is_it) || std::ranges::any_of(taken, is_taken))
        continue;
      taken.push_back({row, input, output});
    }
    return taken;
  }

  bool make_room(const Task& task, std::span<const Taken> taken) {
    int64_t need = facts_.rounded(task.scratch_bytes);
    for (const int32_t output : task.outputs) {
      const auto is_it = [&](const Taken& it) { return it.output == output; };
      if (!facts_.is_view(output) && facts_.in_arena(output) && std::ranges::none_of(taken, is_it))
        need += facts_.rounded(facts_.bytes(output));
    }
    while (live_ + need > budget_)
      if (!evict_one(task)) return false;
    return true;
  }

  bool evict_one(const Task& running) {
    int32_t worst = -1;
    double lowest = std::numeric_limits<double>::infinity();
    for (size_t o = 0; o < states_.size(); ++o) {
      const auto owner = static_cast<int32_t>(o);
      if (!may_evict(owner, running)) continue;
      const double score = score_of(owner);
      if (score >= lowest) continue;
      lowest = score;
      worst = owner;
    }
    if (worst >= 0) drop(worst);
    return worst >= 0;
  }

  bool may_evict(int32_t owner, const Task& running) {
    const State& it = states_[at(owner)];
    if (!it.resident || it.pins > 0 || it.held_bytes == 0 || facts_.is_kept[at(owner)])
      return false;
    const int32_t maker = facts_.makers[at(owner)];
    if (!facts_.may_repeat(maker)) return false;
    // What it is made of may have changed when a later stage runs, and may be gone.
    const int32_t use = next_use(owner);
    return running.stage == 0 && use != kNever && facts_.task(facts_.order[at(use)]).stage == 0;
  }

  double score_of(int32_t owner) {
    double score = 1;
    if (score_.by_cost) {
      int32_t visits = kCostVisits;
      score = cost(facts_.makers[at(owner)], visits);
    }
    if (score_.by_size) score /= static_cast<double>(states_[at(owner)].held_bytes);
    if (score_.by_distance) score /= static_cast<double>(next_use(owner) - now_ + 1);
    return score;
  }

  // Seconds to make it again: its maker, and what that reads and is not there.
  double cost(int32_t maker, int32_t& visits) {
    double seconds = facts_.task(maker).seconds + kOverhead;
    for (const int32_t owner : arena_owners(facts_.task(maker).inputs)) {
      if (state(owner).resident) continue;
      const int32_t before = facts_.makers[at(owner)];
      if (--visits < 0 || !facts_.may_repeat(before)) return std::numeric_limits<double>::max();
      seconds += cost(before, visits);
    }
    return seconds;
  }

  // The task is left with the overwrites that are taken: one that only looks possible now, because
  // its input is dropped later, would keep a larger buffer than was counted.
  void emit(int32_t index, std::span<const Taken> taken) {
    const bool is_copy = has_run_[at(index)];
    has_run_[at(index)] = true;
    Task task = facts_.task(index);
    task.may_overwrite.clear();
    for (const Taken& it : taken) task.may_overwrite.push_back(it.row);
    for (int32_t& input : task.inputs) input = value_now(input);
    const std::vector<int32_t>& outputs = facts_.task(index).outputs;
    for (const bool views : {false, true})
      for (size_t i = 0; i < outputs.size(); ++i)
        if (facts_.is_view(outputs[i]) == views) task.outputs[i] = new_value(outputs[i], is_copy);
    result_.order.push_back(add_task(std::move(task), index, is_copy));
    if (is_copy)
      result_.extra_seconds += facts_.task(index).seconds;
    else
      for (const int32_t output : outputs) emit_views(output);
  }

  void emit_views(int32_t of) {
    for (const int32_t index : facts_.view_tasks[at(of)]) emit(index, {});
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

  // The number of a value that is about to be made; views of the one before are void.
  int32_t new_value(int32_t origin, bool is_copy) {
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
  int32_t value_now(int32_t origin) {
    if (current_[at(origin)] >= 0) return current_[at(origin)];
    return facts_.is_view(origin) ? new_value(origin, true) : origin;
  }

  int32_t copy_value(int32_t origin) {
    result_.problem.values.push_back(facts_.problem.values[at(origin)]);
    result_.value_origins.push_back(origin);
    return static_cast<int32_t>(result_.problem.values.size()) - 1;
  }

  static constexpr int32_t kDepthLimit = 2000;  // of what is made to make another
  static constexpr int32_t kCostVisits = 64;
  static constexpr double kOverhead = 1e-6;  // of running any task at all

  const Facts& facts_;
  const int64_t budget_;
  const Score score_;
  std::vector<State> states_;     // of owners
  std::vector<int32_t> current_;  // the copy of each value that stands for it, -1: none
  std::vector<bool> has_run_;     // of tasks
  int64_t live_ = 0;
  int64_t copies_left_ = 0;
  int32_t now_ = 0;
  int32_t depth_ = 0;
  RecomputedStep result_;
};

}  // namespace

std::optional<RecomputedStep> recompute_to_fit(const StepProblem& problem,
                                               std::span<const int32_t> order,
                                               int64_t budget_bytes) {
  const Facts facts(problem, order);
  std::optional<RecomputedStep> best;
  for (const Score& score : kScores) {
    Simulation simulation(facts, budget_bytes, score);
    if (!simulation.run()) continue;
    RecomputedStep found = simulation.take();
    if (!best || found.extra_seconds < best->extra_seconds) best = std::move(found);
  }
  return best;
}

}  // namespace plimsoll::plan
