// Numbers to predict that are far from 1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/loss_facts.h"
#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_targets_not_scaled(const Patient& patient, Suspicions& into) {
  const OutputFacts* output = patient.output();
  const TargetFacts* target = patient.target();
  if (output == nullptr || target == nullptr || !compares(output->loss, Comparison::distance))
    return;
  if (are_classes(*target)) return;
  const double size = std::hypot(target->mean, target->deviation);
  const double limit = patient.limits("targets_not_scaled.size");
  if (size < limit) return;
  Suspicion suspicion{.cause = "targets_not_scaled"};
  suspicion.strength = patient.unless_learnt(std::min(0.9, 0.5 + 0.25 * std::log10(size / limit)));
  suspicion.what = fmt::format("the targets have the mean {} and the deviation {}",
                               short_number(target->mean), short_number(target->deviation));
  suspicion.evidence = {{"mean", target->mean}, {"deviation", target->deviation}};
  suspicion.remedy = "train on targets less their mean, divided by their deviation";
  suspicion.option = "y = (y - y.mean()) / y.std()";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule targets_not_scaled_rule() {
  return {"targets_not_scaled",
          "model, data",
          {{"targets_not_scaled.size", 30, "root of the mean square of the targets, at most"}},
          nullptr,
          look_for_targets_not_scaled};
}

}  // namespace plimsoll
