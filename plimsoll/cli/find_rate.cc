#include "plimsoll/cli/find_rate.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/cli/examined_run.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/record/run_log.h"

namespace plimsoll::cli {

FoundLearningRate found_rate(TrainArguments arguments, Findings& findings) {
  // A number in place of a schedule; the sweep sets its own rates.
  arguments.model.learning_rate = 1e-3;
  ModelAndData opened = open_model_and_data(arguments, Weights::replaced, findings);
  FindLearningRateOptions options{.batch_size = arguments.batch_size};
  options.memory = arguments.saving.memory;
  options.reading.bad = {.then = OnBadRecord::skip, .most = 1};
  return find_learning_rate(opened.model, opened.data, options);
}

void find_rate(const TrainArguments& arguments, bool json, Findings& findings) {
  const FoundLearningRate found = found_rate(arguments, findings);
  if (!json) {
    print_text(found.rate ? fmt::format("--learning-rate {:.2g}\n", *found.rate)
                          : std::string("no learning rate is proposed\n"));
    print_text("  " + found.how + "\n");
    return;
  }
  nlohmann::ordered_json trials = nlohmann::ordered_json::array();
  for (const TriedRate& it : found.trials)
    trials.push_back({{"learning_rate", it.rate}, {"loss", json_number(it.loss)}});
  print_json({{"learning_rate", found.rate ? json_number(*found.rate) : nullptr},
              {"how", found.how},
              {"trials", trials}});
}

}  // namespace plimsoll::cli
