// The loss was still falling when the run ended.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_too_few_epochs(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  const Symptoms& it = patient.symptoms;
  if (run == nullptr || it.has_failed || it.losses.empty()) return;
  const bool has_begun = patient.has_just_begun();
  if (it.late_fall < patient.limits("too_few_epochs.fall") && !has_begun) return;
  const auto epochs = static_cast<int64_t>(it.losses.size());
  Suspicion suspicion{.cause = "too_few_epochs"};
  const double by_fall = std::clamp(0.4 + 1.5 * it.late_fall, 0.0, 0.75);
  suspicion.strength = patient.unless_learnt(has_begun ? std::max(0.7, by_fall) : by_fall);
  suspicion.what =
      has_begun ? fmt::format("the run had {} steps in all", it.steps)
                : fmt::format("the loss still fell by {:.0f}% over the last third of {} epoch(s)",
                              100 * it.late_fall, epochs);
  suspicion.evidence = {{"epochs", static_cast<double>(epochs)},
                        {"steps", static_cast<double>(it.steps)},
                        {"late_fall", it.late_fall}};
  suspicion.remedy = "train for more epochs";
  suspicion.option = fmt::format("--epochs {}", std::max<int64_t>(10, 4 * epochs));
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule too_few_epochs_rule() {
  return {"too_few_epochs",
          "run",
          {{"too_few_epochs.steps", 100, "of training that a run has at least"},
           {"too_few_epochs.fall", 0.04,
            "of the loss over the last third of the epochs, from which on more epochs help"}},
          look_for_too_few_epochs};
}

}  // namespace plimsoll
