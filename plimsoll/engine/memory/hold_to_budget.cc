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

class BudgetSearch {
 public:
  BudgetSearch(Candidates& candidates, int64_t budget)
      : candidates_(candidates), ways_(candidates.ways()), budget_(budget) {}

  Held run() {
    const int64_t whole = ways_.part_size;
    plain_ = try_with({.part_size = whole});
    if (!is_within(plain_)) {
      const int64_t least = part_within();
      shrink_parts(whole, least);
      // A file is slower than to run a sequence in parts.
      if (!is_within(best_) || best_.spilled_bytes > 0) cut_sequences(least);
      if (!is_within(best_) && ways_.early_updates)
        shrink({.early_updates = true, .part_size = whole});
    }
    if (compiled_ != chosen_) best_ = candidates_.compile(chosen_);
    return {chosen_, best_, plain_, is_within(best_)};
  }

 private:
  bool is_within(const Trial& trial) const { return trial.peak_bytes <= budget_; }

  Trial try_with(const Saving& saving) {
    compiled_ = saving;
    const Trial trial = candidates_.compile(saving);
    tried_.push_back({saving, trial});
    offer(trial, saving);
    return trial;
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
    if (!ways_.sequence_parts) return;
    for (const int parts : kSequenceParts) {
      const Saving saving{.sequence_parts = parts, .part_size = part};
      if (!try_with(saving).cuts_sequences) return;
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
  Saving chosen_, compiled_;
  std::vector<Tried> tried_;
};

}  // namespace

Held hold_to_budget(Candidates& candidates, int64_t budget_bytes) {
  return BudgetSearch(candidates, budget_bytes).run();
}

// The ways are those of the search, each in the smallest arena.
int64_t least_peak(Candidates& candidates) {
  const SavingWays ways = candidates.ways();
  const Saving whole{.smallest = true,
                     .recompute = ways.recompute,
                     .spill = ways.spill,
                     .part_size = ways.part_size};
  Saving parts = whole;
  if (ways.smaller_parts && ways.batch_size > 1 && candidates.may_part()) parts.part_size = 1;
  Trial trial = candidates.compile(parts);
  int64_t least = trial.peak_bytes;
  Saving cut = parts;
  cut.sequence_parts = kSequenceParts.back();
  if (ways.sequence_parts) least = std::min(least, candidates.compile(cut).peak_bytes);
  if (parts != whole) least = std::min(least, candidates.compile(whole).peak_bytes);
  Saving early = whole;
  early.early_updates = true;
  if (ways.early_updates) least = std::min(least, candidates.compile(early).peak_bytes);
  return least;
}

}  // namespace plimsoll
