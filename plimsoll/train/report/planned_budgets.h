// What the planner makes of other budgets than that of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/report/run_report.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

struct BudgetRequest {
  int64_t batch_size = 0;
  SavingOptions saving = {};
  double most_seconds = 20;  // no further budget is planned after that
};

// Plans without a budget, then with some below the peak of that, the larger first, and with the
// least that is enough. Of an arena so small that nothing can be saved, the first alone. The model
// is compiled; its weights need no values. The fields of `data`, if there are records, say what a
// record is like, else the model does.
Part<std::vector<PlannedBudget>> plan_budgets(Model model, const Dataset& data,
                                              const BudgetRequest& request);

}  // namespace plimsoll
