// What could be done instead of a run that does not fit. All that is named was planned.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plimsoll/base/memory_budget.h"

namespace plimsoll {

class RunPlanner;
struct RunRequest;

struct Advice {
  int64_t enough_bytes = 0;  // in which the run fits
  // Samples of a batch that fits in the budget, though perhaps not the largest. 0: not even a batch
  // of 1 does. None: it was not found out.
  std::optional<int64_t> batch = {};
};

// The same run with batches of another size.
using RequestOfBatch = std::function<RunRequest(int64_t batch)>;

// `refused` has planned, and is over the budget. Without `request_of` no batch is looked for.
Advice advise(RunPlanner& refused, const RequestOfBatch& request_of, int64_t budget_bytes);

// What names enough memory for a run that is refused: in which the run fits, or to plan it.
int64_t enough_bytes(RunPlanner& refused);

// "823 MiB": rounded up, so that what is read is enough, to whole MiB, or to tenths where a MiB is
// more than a hundredth.
std::string enough_text(int64_t bytes);

// "it can be done in 823 MiB; a batch of 24 fits in 512.0 MiB (--memory)"
std::string to_string(const Advice& advice, const MemoryBudget& budget);

}  // namespace plimsoll
