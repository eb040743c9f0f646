// Dropout or penalties that leave nothing to learn with.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_over_regularised(const Patient& patient, Suspicions& into) {
  const LayerFacts *drops = nullptr, *pays = nullptr;
  for (const LayerFacts& layer : patient.model().layers) {
    if (drops == nullptr || layer.dropout > drops->dropout) drops = &layer;
    if (pays == nullptr || layer.penalty > pays->penalty) pays = &layer;
  }
  if (drops == nullptr) return;
  Suspicion suspicion{.cause = "over_regularised"};
  if (drops->dropout >= patient.limits("over_regularised.dropout")) {
    suspicion.strength = patient.unless_learnt(std::min(0.9, 0.2 + 0.75 * drops->dropout));
    suspicion.layer = drops->name;
    suspicion.what =
        fmt::format("'{}' drops {:.0f}% of its inputs", drops->name, 100 * drops->dropout);
    suspicion.evidence = {{"dropout", drops->dropout}};
    suspicion.remedy = "drop less";
    suspicion.option = "Dropout(0.2)";
  } else if (pays->penalty >= patient.limits("over_regularised.penalty")) {
    // A factor near 1 outweighs most losses, however far the run got.
    suspicion.strength = pays->penalty >= 0.3
                             ? patient.unless_learnt(0.9, 0.5)
                             : patient.unless_learnt(pays->penalty >= 0.05 ? 0.85 : 0.6);
    suspicion.layer = pays->name;
    suspicion.what = fmt::format("the weights of '{}' are penalised by a factor of {}", pays->name,
                                 short_number(pays->penalty));
    suspicion.evidence = {{"penalty", pays->penalty}};
    suspicion.remedy = "penalise weights less";
    suspicion.option = "kernel_regularizer=keras.regularizers.L2(1e-4)";
  } else {
    return;
  }
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule over_regularised_rule() {
  return {"over_regularised",
          "model",
          {{"over_regularised.dropout", 0.65, "the share that a layer drops, at most"},
           {"over_regularised.penalty", 0.01, "the factor of a penalty on weights, at most"}},
          look_for_over_regularised};
}

}  // namespace plimsoll
