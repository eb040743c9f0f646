// Weights that cannot learn: they are not trained, or the loss does not depend on them.
#include <fmt/format.h>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_frozen_weights(const Patient& patient, Suspicions& into) {
  int64_t frozen = 0, all = 0;
  std::string layer;
  for (const LayerFacts& it : patient.model().layers) {
    if (it.parameters == 0) continue;
    all += it.parameters;
    if (it.is_trained) continue;
    frozen += it.parameters;
    if (layer.empty()) layer = it.name;
  }
  Suspicion suspicion{.cause = "frozen_weights", .layer = layer};
  const double share = all == 0 ? 0 : static_cast<double>(frozen) / static_cast<double>(all);
  if (share > patient.limits("frozen_weights.share")) {
    suspicion.strength = patient.unless_learnt(0.85);
    suspicion.what = fmt::format("{:.0f}% of the weights are not trained, those of '{}' first",
                                 100 * share, layer);
    suspicion.evidence = {{"frozen_share", share}};
    suspicion.remedy = "train these layers too";
    suspicion.option = "layer.trainable = True";
    into.push_back(suspicion);
  }
  if (patient.run() == nullptr || patient.run()->statistics.empty()) return;
  for (const VariableStatistics& variable : patient.run()->statistics.front().variables) {
    if (!variable.is_trained || variable.gradient_zero_share < 1 || variable.elements < 2) continue;
    if (!variable.name.ends_with("kernel")) continue;
    suspicion.layer = variable.layer;
    suspicion.strength = patient.unless_learnt(0.6);
    suspicion.what =
        fmt::format("the loss does not depend on {} of '{}'", variable.name, variable.layer);
    suspicion.evidence = {{"gradient_zero_share", 1}};
    suspicion.remedy = "look at how the layer is connected";
    suspicion.option = "plimsoll summary MODEL";
    into.push_back(suspicion);
    return;
  }
}

}  // namespace

Rule frozen_weights_rule() {
  return {"frozen_weights",
          "model, run",
          {{"frozen_weights.share", 0.3, "of the weights that may be left untrained"}},
          look_for_frozen_weights};
}

}  // namespace plimsoll
