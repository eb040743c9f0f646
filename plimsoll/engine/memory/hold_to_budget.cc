#include "plimsoll/engine/memory/hold_to_budget.h"

#include <algorithm>
#include <array>
#include <vector>

#include "plimsoll/tensor/storage.h"

namespace plimsoll {
namespace {

constexpr std::array<int, 3> kSequenceParts = {4, 16, 64};

// The largest arena whose footprint is in `bytes`.
int64_t arena_within(int64_t bytes) {
  constexpr int64_t kPage = int64_t{2} << 20;
  return std::max<int64_t>(0, bytes < kPage ? bytes : bytes / kPage * kPage);
}

// The ways of the search, each in the smallest arena.
std::vector<Saving> smallest_ways(Candidates& candidates, bool cuts_sequences) {
  const SavingWays ways = candidates.ways();
  const Saving whole{.smallest = true,
                     .recompute = ways.recompute,
                     .spill = ways.spill,
                     .part_size = ways.part_size};
  Saving parts = whole;
  if (ways.smaller_parts && ways.batch_size > 1 && candidates.may_part()) parts.part_size = 1;
  std::vector<Saving> all = {parts};
  if (parts != whole) all.push_back(whole);
  if (ways.sequence_parts && cuts_sequences) {
    all.push_back(parts);
    all.back().sequence_parts = kSequenceParts.back();
  }
  if (ways.early_updates) {
    all.push_back(whole);
    all.back().early_updates = true;
  }
  return all;
}

class BudgetSearch {
 public:
  BudgetSearch(Candidates& candidates, int64_t budget)
      : candidates_(candidates), ways_(candidates.ways()), budget_(budget) {}

  Held run(const std::optional<Trial>& plain) {
    const int64_t whole = ways_.part_size;
    if (plain) note({.part_size = whole}, *plain);
    plain_ = as_tried({.part_size = whole});
    if (!is_within(plain_)) {
      const int64_t least = part_within();
      shrink_parts(whole, least);
      // A file is slower than to run a sequence in parts.
      if (!is_within(best_) || best_.spilled_bytes > 0) cut_sequences(least);
      if (!is_within(best_) && ways_.early_updates)
        shrink({.early_updates = true, .part_size = whole});
      // A larger arena may be missed where a smaller one is found.
      if (!is_within(best_))
        for (const Saving& saving : smallest_ways(candidates_, plain_.cuts_sequences))
          if (is_within(try_with(saving))) break;
    }
    if (compiled_ != chosen_) best_ = candidates_.compile(chosen_);
    return {chosen_, best_, plain_, is_within(best_)};
  }

 private:
  bool is_within(const Trial& trial) const { return trial.peak_bytes <= budget_; }

  Trial try_with(const Saving& saving) {
    compiled_ = saving;
    const Trial trial = candidates_.compile(saving);
    note(saving, trial);
    return trial;
  }

  void note(const Saving& saving, const Trial& trial) {
    tried_.push_back({saving, trial});
    offer(trial, saving);
  }

  // The same without compiling it once more.
  Trial as_tried(const Saving& saving) {
    const auto found = std::ranges::find(tried_, saving, &Tried::saving);
    return found != tried_.end() ? found->trial : try_with(saving);
  }

  // What is within the budget goes before what is not, then the faster, then the smaller.
  void offer(const Trial& trial, const Saving& saving) {
    const bool is_faster = trial.seconds < best_.seconds;
    const bool is_smaller = trial.peak_bytes < best_.peak_bytes;
    const bool is_better = is_within(trial) != is_within(best_) ? is_within(trial)
                           : is_within(trial)                   ? is_faster
                                                                : is_smaller;
    if (has_best_ && !is_better) return;
    has_best_ = true;
    best_ = trial;
    chosen_ = saving;
  }

  // The batch is halved until its parts are within the budget; 1 where not even one sample is, and
  // the size that was asked for where it cannot be parted.
  int64_t part_within() {
    if (!ways_.smaller_parts || ways_.batch_size == 1 || !candidates_.may_part())
      return ways_.part_size;
    int64_t part = ways_.batch_size;
    do part = (part + 1) / 2;
    while (!is_within(try_with({.part_size = part})) && part > 1);
    return part;
  }

  bool may_shrink() const { return ways_.recompute || ways_.spill; }

  // The whole batch, and larger parts than those that are within the budget as they are, in smaller
  // arenas.
  void shrink_parts(int64_t whole, int64_t least) {
    if (!may_shrink()) return;
    constexpr int kTried = 3;
    int64_t part = is_within(best_) ? 2 * least : least;
    for (int i = 0; i < kTried && part > 0 && part < ways_.batch_size && least != whole; ++i) {
      shrink({.part_size = part});
      part *= 2;
    }
    if (is_worth_it(plain_)) shrink({.part_size = whole});
  }

  // True if this, in a smaller arena, could be faster than the best.
  bool is_worth_it(const Trial& trial) const {
    return !is_within(best_) || trial.seconds < best_.seconds;
  }

  // Compiles with ever less for the arena until the peak is not over the budget, or nothing helps.
  // Compiling again may leave the process a little larger.
  void shrink(Saving saving) {
    constexpr int kAttempts = 5;
    Trial found = as_tried(saving);
    if (!is_worth_it(found)) return;
    saving.recompute = ways_.recompute;
    saving.spill = ways_.spill;
    for (int i = 0; i < kAttempts && !is_within(found); ++i) {
      const int64_t room = arena_within(budget_ - found.rest_bytes);
      if (room == 0 || Storage::footprint(found.arena_bytes) <= room) return;
      saving.arena_budget = room;
      found = try_with(saving);
      if (found.arena_bytes > room) return;  // it cannot be done
    }
  }

  // Parts of a sequence are computed again one by one.
  void cut_sequences(int64_t part) {
    if (!ways_.sequence_parts || !plain_.cuts_sequences) return;
    for (const int parts : kSequenceParts) {
      const Saving saving{.sequence_parts = parts, .part_size = part};
      try_with(saving);
      if (may_shrink()) shrink(saving);
      if (is_within(best_) && best_.spilled_bytes == 0) return;
    }
  }

  struct Tried {
    Saving saving;
    Trial trial;
  };

  Candidates& candidates_;
  const SavingWays ways_;
  const int64_t budget_;
  Trial plain_, best_;
  bool has_best_ = false;
  Saving chosen_;
  std::optional<Saving> compiled_;
  std::vector<Tried> tried_;
};

}  // namespace

Held hold_to_budget(Candidates& candidates, int64_t budget_bytes,
                    const std::optional<Trial>& plain) {
  return BudgetSearch(candidates, budget_bytes).run(plain);
}

int64_t reachable_peak(Candidates& candidates, int64_t budget_bytes, const Trial& plain) {
  const SavingWays ways = candidates.ways();
  const int64_t room = arena_within(budget_bytes - plain.rest_bytes);
  if (room > 0 && (ways.recompute || ways.spill)) {
    const int64_t peak = candidates
                             .compile({.arena_budget = room,
                                       .quick = true,
                                       .recompute = ways.recompute,
                                       .spill = ways.spill,
                                       .part_size = ways.part_size})
                             .peak_bytes;
    if (peak <= budget_bytes) return peak;
  }
  int64_t least = plain.peak_bytes;
  for (const Saving& saving : smallest_ways(candidates, plain.cuts_sequences)) {
    least = std::min(least, candidates.compile(saving).peak_bytes);
    if (least <= budget_bytes) break;
  }
  return least;
}

int64_t least_peak(Candidates& candidates) {
  const Trial plain = candidates.compile({.quick = true, .part_size = candidates.ways().part_size});
  int64_t least = plain.peak_bytes;
  for (const Saving& saving : smallest_ways(candidates, plain.cuts_sequences))
    least = std::min(least, candidates.compile(saving).peak_bytes);
  return least;
}

}  // namespace plimsoll
