// One walk through the order of a step, dropping some values after a use and making them again
// before the next.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "plimsoll/plan/recompute.h"
#include "plimsoll/plan/recompute_facts.h"

namespace plimsoll::plan {

// The time from one use of a value (or its making) to the use with this number in uses[owner].
struct Gap {
  int32_t owner = 0;
  int32_t use = 0;

  bool operator==(const Gap&) const = default;
};

// What happens to a value in a gap.
enum class Fate : uint8_t {
  kept,
  dropped,  // but where it is made again to make another, it stays from then on
  dropped_again,
};

class Drops {
 public:
  explicit Drops(const RecomputeFacts& facts) : fates_(facts.uses.size()) {
    for (size_t o = 0; o < fates_.size(); ++o) fates_[o].resize(facts.uses[o].size());
  }
  Fate of(const Gap& gap) const {
    return fates_[static_cast<size_t>(gap.owner)][static_cast<size_t>(gap.use)];
  }
  void set(const Gap& gap, Fate fate) {
    fates_[static_cast<size_t>(gap.owner)][static_cast<size_t>(gap.use)] = fate;
  }

 private:
  std::vector<std::vector<Fate>> fates_;
};

class RecomputeWalk {
 public:
  struct Options {
    bool evicts = false;   // drop others too, when the budget wants it
    bool records = false;  // make the step that results
  };

  // Values are dropped in the gaps that `drops` has.
  RecomputeWalk(const RecomputeFacts& facts, const Drops& drops, int64_t budget,
                const Options& options);

  // False where a task that may not repeat would have to, where too much is made again, or where
  // evicting is not enough.
  bool run();

  // The most that was live at once.
  int64_t peak_bytes() const { return peak_; }
  // What could have been dropped then, where the peak is over the budget.
  const std::vector<Gap>& gaps_at_peak() const { return at_peak_; }
  int64_t bytes(const Gap& gap) const { return facts_.rounded(facts_.bytes(gap.owner)); }
  // Seconds to make a value again at the end of the gap: its maker, and what that reads and was not
  // there in this walk. None where it cannot be made, or only from very much.
  std::optional<double> cost(const Gap& gap) const;
  // How many moments of the gap were over the budget.
  int32_t moments_over(const Gap& gap) const;
  double extra_seconds() const { return extra_seconds_; }
  RecomputedStep take();

 private:
  struct State {
    bool resident = false;
    int32_t pins = 0;        // running or waiting tasks that read it
    int64_t held_bytes = 0;  // of its buffer, which may be larger where it took another's place
    size_t next_use = 0;     // in uses
    // Moments at which it was resident: from, to, from, …
    std::vector<int32_t> times = {};
  };
  // An overwrite that is taken.
  struct Taken {
    Overwrite row;
    int32_t input, output;  // owners
  };

  static size_t at(int32_t index) { return static_cast<size_t>(index); }
  State& state(int32_t owner) { return states_[at(owner)]; }
  int32_t next_use(int32_t owner);
  bool is_needed_later(int32_t owner) const;
  Fate fate(int32_t owner);

  void hold(int32_t owner, int64_t bytes);
  void drop(int32_t owner);
  bool execute(int32_t index);
  bool bring(std::span<const int32_t> owners);
  void release(std::span<const int32_t> owners);
  std::vector<Taken> overwrites(const Task& task);
  bool make_room(const Task& task, std::span<const Taken> taken);
  void note_peak(const Task& task, int64_t bytes);
  bool evict_one(const Task& running);
  bool may_evict(int32_t owner, const Task& running);
  bool was_resident(int32_t owner, int32_t moment) const;
  std::optional<double> cost_of(int32_t maker, int32_t moment, int32_t& visits) const;

  void emit(int32_t index, std::span<const Taken> taken);
  void emit_views(int32_t of);
  int32_t add_task(Task task, int32_t origin, bool is_copy);
  int32_t new_value(int32_t origin, bool is_copy);
  int32_t value_now(int32_t origin);
  int32_t copy_value(int32_t origin);

  const RecomputeFacts& facts_;
  const Drops drops_;
  const int64_t budget_;
  const Options options_;
  std::vector<State> states_;     // of owners
  std::vector<int32_t> current_;  // the copy of each value that stands for it, -1: none
  std::vector<bool> has_run_;     // of tasks
  int64_t live_ = 0;
  double extra_seconds_ = 0;
  int64_t peak_ = 0;
  bool is_over_ = false;  // the budget, at this moment
  std::vector<Gap> at_peak_;
  std::vector<int32_t> over_;  // up to each moment, how many were over the budget
  int64_t copies_left_ = 0;
  int32_t now_ = 0;    // the moment
  int32_t depth_ = 0;  // of what is made to make another
  RecomputedStep result_;
};

}  // namespace plimsoll::plan
