#include "plimsoll/train/memory/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/train/memory/run_planner.h"

namespace plimsoll {
namespace {

// The size of batches that fits, by few plans: what a run takes at its least grows with the batch
// nearly in a straight line.
class BatchSearch {
 public:
  BatchSearch(const RunPlanner& refused, const RequestOfBatch& request_of, int64_t budget)
      : refused_(refused.memory()),
        baseline_(refused.largest_baseline()),
        request_of_(request_of),
        budget_(budget) {}

  // 0 if nothing fits.
  int64_t run(int64_t enough_bytes) const {
    constexpr int kTried = 5;
    constexpr double kTolerance = 1.25;
    int64_t fits = 0, fails = refused_.batch_size, next = guess(enough_bytes);
    for (int i = 0; i < kTried && fits + 1 < fails; ++i) {
      next = std::clamp(next, fits + 1, fails - 1);
      (is_safe(next) ? fits : fails) = next;
      if (static_cast<double>(fails) < kTolerance * static_cast<double>(fits)) break;
      next = fits == 0 ? fails * 2 / 3 : (fits + fails) / 2;
      if (fits == 0 && i + 2 == kTried) next = 1;
    }
    return fits;
  }

  // True if a smaller process could not run a batch of 1 either.
  bool is_hopeless() const {
    constexpr int64_t kSmaller = int64_t{2} << 20;
    return planner_of(1, refused_.baseline_bytes - kSmaller).least_peak_bytes() > budget_;
  }

 private:
  // Where the line from nothing but the weights to what the refused batch takes meets the budget.
  int64_t guess(int64_t enough_bytes) const {
    const int64_t fixed = refused_.rest_bytes() - refused_.input_bytes;
    if (budget_ <= fixed || enough_bytes <= fixed) return 1;
    const double share =
        static_cast<double>(budget_ - fixed) / static_cast<double>(enough_bytes - fixed);
    return static_cast<int64_t>(share * static_cast<double>(refused_.batch_size));
  }

  RunPlanner planner_of(int64_t batch, int64_t baseline) const {
    RunRequest request = request_of_(batch);
    request.tells_progress = false;
    request.baseline_bytes = baseline;
    return RunPlanner(std::move(request), budget_);
  }

  // Steps that the refused run did not have, of a last batch that is smaller, take memory too.
  bool is_safe(int64_t batch) const {
    const int64_t steps =
        step_count(request_of_(batch)) - step_count(request_of_(refused_.batch_size));
    const int64_t more = std::max<int64_t>(0, steps) * refused_.code_bytes;
    return planner_of(batch, baseline_ + more).fits_safely();
  }

  const MemoryPlan& refused_;
  const int64_t baseline_;
  const RequestOfBatch& request_of_;
  const int64_t budget_;
};

std::string batch_text(int64_t batch) {
  return batch == 0 ? "not even a batch of 1 fits" : fmt::format("a batch of {} fits", batch);
}

}  // namespace

int64_t enough_bytes(RunPlanner& refused) {
  return std::max(refused.least_budget(), refused.planning_peak_bytes());
}

std::string enough_text(int64_t bytes) {
  constexpr double kMiB = int64_t{1} << 20, kTenths = 10, kSmall = 100;
  const double size = static_cast<double>(bytes) / kMiB;
  if (size > kSmall - 1) return fmt::format("{:.0f} MiB", std::ceil(size));
  return fmt::format("{:.1f} MiB", std::ceil(size * kTenths) / kTenths);
}

Advice advise(RunPlanner& refused, const RequestOfBatch& request_of, int64_t budget_bytes) {
  // What planning itself takes is not less for another batch.
  const int64_t planning = refused.planning_peak_bytes();
  Advice advice{.enough_bytes = enough_bytes(refused)};
  if (refused.memory().batch_size == 1) {
    advice.batch = 0;
  } else if (request_of) {
    const BatchSearch search(refused, request_of, budget_bytes);
    const int64_t batch = planning > budget_bytes ? 0 : search.run(advice.enough_bytes);
    if (batch > 0 || search.is_hopeless()) advice.batch = batch;
  }
  return advice;
}

std::string to_string(const Advice& advice, const MemoryBudget& budget) {
  std::string text = "it can be done in " + enough_text(advice.enough_bytes);
  if (advice.batch)
    text += fmt::format("; {} in {}", batch_text(*advice.batch), budget.to_string());
  return text;
}

}  // namespace plimsoll
