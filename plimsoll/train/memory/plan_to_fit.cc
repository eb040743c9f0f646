#include "plimsoll/train/memory/plan_to_fit.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/machine_speed.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {
namespace {

constexpr std::array<int, 3> kSequenceParts = {4, 16, 64};
constexpr int64_t kMiB = int64_t{1} << 20;

// Compiling again and again leaves the process a little larger, and so do first runs of kernels.
int64_t slack(int64_t budget) {
  return std::clamp(budget / 128, kMiB, 8 * kMiB);
}

// Why the batch cannot run in parts, if so.
std::optional<std::string> bar_of(const FittedRun& run) {
  return run.steps.bars_parts(run.fields, run.options.batch_statistics_per_part
                                              ? BatchStatistics::per_part
                                              : BatchStatistics::mix);
}

// The size of parts that the options ask for; 0: whole batches.
int64_t forced_part(const FittedRun& run) {
  const std::optional<int64_t>& asked = run.options.micro_batch;
  if (!asked || *asked >= run.batch_size) return 0;
  if (const auto bar = bar_of(run)) throw InvalidArgument("micro_batch: " + *bar);
  return *asked;
}

// A global norm waits for all gradients anyway.
bool may_update_early(const FittedRun& run) {
  return run.options.early_updates && !run.steps.options().optimizer->settings().global_clipnorm;
}

class FitSearch {
 public:
  FitSearch(const FittedRun& run, int64_t budget) : run_(run), budget_(budget - slack(budget)) {}

  MemoryPlan run() {
    const int64_t whole = forced_part(run_);
    plain_ = plan_with({.part_size = whole});
    if (!fits(plain_)) {
      const int64_t least = run_.options.micro_batch ? whole : part_that_fits();
      shrink_parts(whole, least);
      // A file is slower than to run a sequence in parts.
      if (!fits(best_) || best_.spilled_bytes > 0) cut_sequences(least);
      if (!fits(best_) && may_update_early(run_))
        shrink({.early_updates = true, .part_size = whole});
    }
    return finish();
  }

 private:
  using Saving = ModelSteps::Saving;

  bool fits(const MemoryPlan& plan) const { return plan.peak_bytes <= budget_; }

  MemoryPlan plan_with(const Saving& saving) {
    run_.steps.set_saving(saving);
    MemoryPlan plan = run_.plan();
    offer(plan, saving);
    return plan;
  }

  // What fits goes before what does not, then the faster, then the smaller.
  void offer(const MemoryPlan& plan, const Saving& saving) {
    const bool is_faster = plan.step_seconds < best_.step_seconds;
    const bool is_smaller = plan.peak_bytes < best_.peak_bytes;
    const bool is_better = fits(plan) != fits(best_) ? fits(plan)
                           : fits(plan)              ? is_faster
                                                     : is_smaller;
    if (has_best_ && !is_better) return;
    has_best_ = true;
    best_ = plan;
    chosen_ = saving;
  }

  // The batch is halved until its parts fit; 1 where not even one sample does, 0 where a batch
  // cannot be parted.
  int64_t part_that_fits() {
    if (!run_.options.micro_batches || run_.batch_size == 1 || bar_of(run_)) return 0;
    int64_t part = run_.batch_size;
    do part = (part + 1) / 2;
    while (!fits(plan_with({.part_size = part})) && part > 1);
    return part;
  }

  bool may_shrink() const { return run_.options.recompute || run_.options.spill; }

  // The whole batch, and larger parts than those that fit as they are, in smaller arenas.
  void shrink_parts(int64_t whole, int64_t least) {
    if (!may_shrink()) return;
    constexpr int kTried = 3;
    int64_t part = fits(best_) ? 2 * least : least;
    for (int i = 0; i < kTried && part > 0 && part < run_.batch_size && least != whole; ++i) {
      shrink({.part_size = part});
      part *= 2;
    }
    if (is_worth_it(plain_)) shrink({.part_size = whole});
  }

  // Could this plan, in a smaller arena, be faster than the best?
  bool is_worth_it(const MemoryPlan& plan) const {
    return !fits(best_) || plan.step_seconds < best_.step_seconds;
  }

  // Plans with ever less for the arena until the peak is not over the budget, or nothing helps.
  void shrink(Saving saving) {
    saving.recompute = run_.options.recompute;
    saving.spill = run_.options.spill;
    // Compiling again may leave the process a little larger.
    constexpr int kAttempts = 3;
    const int64_t page = Storage::footprint(int64_t{1} << 21);
    MemoryPlan found = plan_with(saving);
    if (!is_worth_it(found)) return;
    int64_t arena = Storage::footprint(found.arena_bytes);
    for (int i = 0; i < kAttempts && !fits(found); ++i) {
      arena = (arena - (found.peak_bytes - budget_)) / page * page;
      if (arena <= 0) return;
      saving.arena_budget = arena;
      found = plan_with(saving);
      if (found.arena_bytes > arena) return;  // it cannot be done
    }
  }

  // Parts of a sequence are computed again one by one.
  void cut_sequences(int64_t part) {
    if (!run_.options.sequence_parts) return;
    for (const int parts : kSequenceParts) {
      const Saving saving{.sequence_parts = parts, .part_size = part};
      plan_with(saving);
      if (!run_.steps.cuts_sequences()) return;
      if (may_shrink()) shrink(saving);
      if (fits(best_) && best_.spilled_bytes == 0) return;
    }
  }

  MemoryPlan finish() {
    if (run_.steps.saving() != chosen_) {
      run_.steps.set_saving(chosen_);
      best_ = run_.plan();
    }
    best_.plain_arena_bytes = plain_.arena_bytes;
    best_.plain_step_seconds = plain_.step_seconds;
    best_.sequence_parts = chosen_.sequence_parts;
    best_.updates_early = chosen_.early_updates;
    return best_;
  }

  const FittedRun& run_;
  int64_t budget_;
  MemoryPlan plain_, best_;
  bool has_best_ = false;
  Saving chosen_;
};

}  // namespace

MemoryPlan plan_to_fit(const FittedRun& run, std::optional<int64_t> budget_bytes) {
  if (budget_bytes) measure_machine_speed(*budget_bytes - process_memory().resident_bytes);
  return FitSearch(run, budget_bytes.value_or(INT64_MAX)).run();
}

int64_t smallest_peak(const FittedRun& run) {
  const SavingOptions& options = run.options;
  int64_t part = forced_part(run);
  if (!options.micro_batch && options.micro_batches && !bar_of(run)) part = 1;
  // Parts have their sums: no gradient of theirs waits.
  ModelSteps::Saving saving{.early_updates = part == 0 && may_update_early(run),
                            .recompute = options.recompute,
                            .spill = options.spill,
                            .part_size = part};
  run.steps.set_saving(saving);
  const MemoryPlan plain = run.plan();
  int64_t smallest = plain.peak_bytes;
  if (!options.recompute && !options.spill) return smallest;
  int high = 10, low = 0;
  while (high - low > 1) {
    const int tenths = (high + low) / 2;
    saving.arena_budget = plain.arena_bytes * tenths / 10;
    saving.sequence_parts = options.sequence_parts ? kSequenceParts.back() : 1;
    run.steps.set_saving(saving);
    const MemoryPlan found = run.plan();
    (found.arena_bytes <= *saving.arena_budget ? high : low) = tenths;
    smallest = std::min(smallest, found.peak_bytes);
  }
  return smallest + slack(smallest) + kMiB;  // so that a run which is given it is not refused
}

}  // namespace plimsoll
