// Hidden units that no longer react to their inputs: dead or saturated ones.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

// The hidden layer whose share, the median over the later half of the steps, is largest.
struct Worst {
  double share = 0;
  std::string layer = {};
};

Worst worst_layer(const Patient& patient, double LayerStatistics::*share, bool is_relu) {
  const std::vector<StepStatistics>& steps = patient.run()->statistics;
  const std::string output = patient.output() == nullptr ? "" : patient.output()->layer;
  std::map<std::string, std::vector<double>> shares;
  for (size_t i = steps.size() / 2; i < steps.size(); ++i)
    for (const LayerStatistics& layer : steps[i].layers)
      if ((layer.activation == "relu") == is_relu && layer.layer != output)
        shares[layer.layer].push_back(layer.*share);
  Worst worst;
  for (auto& [layer, values] : shares) {
    std::ranges::sort(values);
    if (values[values.size() / 2] > worst.share) worst = {values[values.size() / 2], layer};
  }
  return worst;
}

void look_for_dead(const Patient& patient, Suspicions& into) {
  if (patient.run() == nullptr || patient.run()->statistics.empty()) return;
  const Worst worst = worst_layer(patient, &LayerStatistics::dead_unit_share, true);
  if (worst.share < patient.limits("dead_relu.share")) return;
  Suspicion suspicion{.cause = "dead_relu", .layer = worst.layer};
  suspicion.strength = patient.unless_learnt(worst.share > 0.99 ? 0.9 : 0.6);
  suspicion.what = fmt::format("{:.0f}% of the units of '{}' are 0 for every record of a batch",
                               100 * worst.share, worst.layer);
  suspicion.evidence = {{"dead_unit_share", worst.share}};
  suspicion.remedy = "lower the learning rate, or use LeakyReLU";
  suspicion.option = "activation=\"leaky_relu\"";
  into.push_back(std::move(suspicion));
}

void look_for_saturated(const Patient& patient, Suspicions& into) {
  if (patient.run() == nullptr || patient.run()->statistics.empty()) return;
  const Worst worst = worst_layer(patient, &LayerStatistics::saturated_share, false);
  if (worst.share < patient.limits("saturation.share")) return;
  Suspicion suspicion{.cause = "saturation", .layer = worst.layer};
  suspicion.strength = patient.unless_learnt(std::min(0.85, worst.share));
  suspicion.what =
      fmt::format("{:.0f}% of the outputs of '{}' are at the flat ends of its activation",
                  100 * worst.share, worst.layer);
  suspicion.evidence = {{"saturated_share", worst.share}};
  suspicion.remedy = "scale the inputs, use smaller initial weights, or relu instead";
  suspicion.option = "activation=\"relu\"";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule dead_relu_rule() {
  return {"dead_relu",
          "run",
          {{"dead_relu.share", 0.75, "of the units of a layer, at most"}},
          look_for_dead};
}

Rule saturation_rule() {
  return {"saturation",
          "run",
          {{"saturation.share", 0.5, "of the outputs of a layer, at most"}},
          look_for_saturated};
}

}  // namespace plimsoll
