// Dropout or penalties that leave nothing to learn with.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/guards/doctor/rule_list.h"
#include "plimsoll/guards/doctor/rules/learning_rate.h"

namespace plimsoll {
namespace {

// Each step takes this share of the learning rate off every weight.
void look_for_decay(const Patient& patient, Suspicions& into) {
  const double decay = patient.model().weight_decay;
  // What Adam and its like do in a step is about as large as the learning rate.
  const double limit = patient.limits("over_regularised.decay") *
                       (follows_gradients(patient.model().optimizer) ? 0.05 : 1);
  if (decay < limit) return;
  Suspicion suspicion{.cause = "over_regularised"};
  suspicion.strength = patient.unless_learnt(decay >= 10 * limit ? 0.85 : 0.6);
  suspicion.what =
      fmt::format("{} has the weight_decay {}", patient.model().optimizer, short_number(decay));
  suspicion.evidence = {{"weight_decay", decay}};
  suspicion.remedy = "let weights decay less";
  suspicion.option = fmt::format("{}(weight_decay=0.004)", patient.model().optimizer);
  into.push_back(std::move(suspicion));
}

void look_for_over_regularised(const Patient& patient, Suspicions& into) {
  const LayerFacts *drops = nullptr, *pays = nullptr;
  for (const LayerFacts& layer : patient.model().layers) {
    if (drops == nullptr || layer.dropout > drops->dropout) drops = &layer;
    if (pays == nullptr || layer.penalty > pays->penalty) pays = &layer;
  }
  look_for_decay(patient, into);
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
           {"over_regularised.penalty", 0.01, "the factor of a penalty on weights, at most"},
           {"over_regularised.decay", 1, "the weight_decay of Adam, at most; of SGD, a twentieth"}},
          look_for_over_regularised};
}

}  // namespace plimsoll
