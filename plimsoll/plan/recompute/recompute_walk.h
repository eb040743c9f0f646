// One walk through the order of a step in which values are dropped, and made again where a task
// reads them. It records what was live when and what could be done about it.
//
// An example: A = f(x), B = g(A), C = h(B), D = k(C, A), where x is outside the arena and A, B, C,
// D have 4, 6, 2 and 4 bytes. Without drops A waits through run 2, where most bytes are live:
//
//   run       0      1      2      3
//   task      f      g      h      k
//   A         4------4------4------4       kept(): A, from run 1 to run 3;
//   B                6------6              its cost() is the time of f
//   C                       2------2
//   D                              4
//   live      4     10     12     10       peak_bytes() 12
//
// Dropped after its first read, A is made again where k reads it, which is a run of its own:
//
//   run       0      1      2      3      4
//   task      f      g      h      f      k
//   A         4------4             4------4       dropped(): A, from run 1 to run 3
//   B                6------6
//   C                       2------2------2
//   D                                     4
//   live      4     10      8      6     10       peak_bytes() 10, extra_seconds() the time of f
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plimsoll/plan/recompute/recompute_drops.h"
#include "plimsoll/plan/recompute/recompute_facts.h"

namespace plimsoll::plan {

// A time in which nothing read a value, in runs of tasks. The value was in memory at both ends.
struct Idle {
  DropPoint place;  // where it begins
  int32_t from = 0;
  int32_t to = 0;
};

// A task that ran, with the facts needed to write the walk down as a step.
struct Run {
  int32_t task = 0;
  std::vector<Overwrite> taken = {};
  std::vector<int32_t> still_there = {};  // owners that it makes once more
};

class RecomputeWalk {
 public:
  explicit RecomputeWalk(const RecomputeFacts& facts);

  // False where a task that may not repeat would have to, or where too much is made again. A walk
  // that records goes through all stages, others through the one in which values are dropped.
  bool run(const Drops& drops, bool records = false);

  int64_t peak_bytes() const { return peak_; }
  double extra_seconds() const { return extra_seconds_; }
  // For each run, the bytes that were live while it ran.
  const std::vector<int64_t>& live_bytes() const { return live_bytes_; }
  // Times in which a value was in memory but not read, and may be dropped.
  const std::vector<Idle>& kept() const { return kept_; }
  // Times in which a value was not in memory, up to the task that made it again.
  const std::vector<Idle>& dropped() const { return dropped_; }
  // Seconds to make a value again at the end of the time in which it was kept: those of its maker,
  // and of the makers of inputs that were not in memory. Values that would be made again later
  // anyway count with this share. None if it cannot be made, or only from very many values.
  std::optional<double> cost(const Idle& kept, double share_of_early);
  // The runs of the last walk, if it recorded.
  const std::vector<Run>& runs() const { return runs_; }
  // How many tasks ran in all walks, or were looked at for a cost.
  int64_t work() const { return work_; }

 private:
  struct State {
    bool resident = false;
    int32_t pins = 0;        // running or waiting tasks that read it
    int64_t held_bytes = 0;  // of its buffer, which may be larger where it took another's place
    int32_t gap = 0;
    int32_t touch = 0;
    int32_t touched = 0;              // the run that touched it last
    std::vector<int32_t> times = {};  // runs between which it was resident: from, to, from, …
  };
  // An overwrite that is taken.
  struct Taken {
    Overwrite row;
    int32_t input, output;  // owners
  };

  State& state(int32_t owner) { return states_[at(owner)]; }
  void begin(const Drops& drops);
  bool goes(const DropPoint& place) const;
  DropPoint after_read(int32_t owner) const;
  void hold(int32_t owner, int64_t bytes);
  void drop(int32_t owner);
  bool execute(int32_t task);
  bool bring(int32_t task);
  void finish(int32_t task);
  void read(int32_t owner);
  void made(int32_t owner);
  void find_overwrites(const Task& task);
  bool may_take(const Task& task, int32_t input, int32_t output) const;
  void note(int32_t task);
  void ask_for_inputs(int32_t task, int32_t run);
  bool is_there(int32_t owner, int32_t run) const;

  const RecomputeFacts& facts_;
  const Drops* drops_ = nullptr;
  bool records_ = false;
  std::vector<State> states_;  // of owners
  std::vector<bool> has_run_;  // of tasks
  std::vector<Taken> taken_;   // by the task that runs
  std::vector<int64_t> live_bytes_;
  std::vector<int32_t> moments_;  // of runs
  std::vector<Idle> kept_, dropped_;
  std::vector<Run> runs_;
  // What cost() has to make, and in which of its calls it was last asked for each owner.
  std::vector<int32_t> wanted_, early_;
  std::vector<int64_t> asked_;
  int64_t question_ = 0;
  int64_t live_ = 0;
  int64_t peak_ = 0;
  int64_t work_ = 0;
  int64_t copies_left_ = 0;
  double extra_seconds_ = 0;
  int32_t now_ = 0;    // the moment
  int32_t run_ = 0;    // how many tasks have run
  int32_t depth_ = 0;  // of what is made to make another
};

}  // namespace plimsoll::plan
