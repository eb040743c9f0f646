// Steps are so small that the run does not get anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule_list.h"
#include "plimsoll/guards/doctor/rules/learning_rate.h"

namespace plimsoll {
namespace {

// Sigmoids pass on a quarter of a gradient at most: plain SGD hardly moves the layers before them.
void look_for_sigmoids(const Patient& patient, Suspicions& into) {
  const ModelFacts& model = patient.model();
  const UsualRates usual = usual_rates(model.optimizer);
  if (patient.run() == nullptr || !follows_gradients(model.optimizer) || model.momentum > 0) return;
  if (model.learning_rate < usual.least || model.learning_rate > usual.largest) return;
  if (patient.symptoms.has_failed || patient.symptoms.badness < 0.7) return;
  int hidden = 0, sigmoids = 0;
  for (const LayerFacts& layer : model.layers) {
    if (!layer.is_product || patient.is_last(layer)) continue;
    ++hidden;
    sigmoids += layer.activation == "sigmoid" ? 1 : 0;
  }
  if (sigmoids == 0 || sigmoids < hidden) return;
  Suspicion suspicion{.cause = "optimizer", .strength = patient.unless_learnt(0.6, 0)};
  suspicion.what = "SGD without momentum hardly moves a model whose hidden layers are sigmoids";
  suspicion.evidence = {{"fall", patient.symptoms.fall},
                        {"update_ratio", patient.symptoms.update_ratio}};
  suspicion.remedy = "train with Adam";
  suspicion.option = "--optimizer adam";
  into.push_back(std::move(suspicion));
}

void look_for_learning_rate_low(const Patient& patient, Suspicions& into) {
  look_for_sigmoids(patient, into);
  const ModelFacts& model = patient.model();
  if (model.optimizer.empty() || model.learning_rate <= 0 || model.has_schedule) return;
  const UsualRates usual = usual_rates(model.optimizer);
  const double under = std::log10(usual.least / model.learning_rate);
  double strength = std::clamp(0.3 + 0.4 * under, 0.0, 0.95);
  const double update = patient.symptoms.update_ratio;
  const bool is_slow = patient.run() != nullptr && update > 0 &&
                       update < patient.limits("learning_rate_low.update") && under > -1;
  if (is_slow) strength = 1 - (1 - strength) * 0.6;
  // A rate that Keras gives the optimizer, too low as it is, is not the user's mistake, the choice
  // is.
  constexpr double kDefaultRate = 0.001;
  const bool is_default =
      std::abs(model.learning_rate - kDefaultRate) < 1e-6 && usual.least > kDefaultRate;
  if (is_default) strength = std::max(strength, 0.75);
  if (strength < 0.2) return;
  Suspicion suspicion{.cause = is_default ? "optimizer" : "learning_rate_low"};
  suspicion.strength = patient.unless_learnt(strength);
  suspicion.what = fmt::format("{} has the learning rate {} (usual: {})", model.optimizer,
                               short_number(model.learning_rate), short_number(usual.usual));
  if (patient.run() != nullptr)
    suspicion.what +=
        fmt::format("; a step changes a kernel by {} of its norm", short_number(update));
  if (patient.symptoms.losses.size() > 2 && std::abs(patient.symptoms.fall) < 0.02)
    suspicion.what += ", and the loss is flat";
  suspicion.evidence = {{"learning_rate", model.learning_rate},
                        {"usual_learning_rate", usual.usual},
                        {"update_ratio", update},
                        {"fall", patient.symptoms.fall}};
  suspicion.remedy = is_default ? "train with Adam" : "raise the learning rate";
  suspicion.option = is_default ? "--optimizer adam"
                                : fmt::format("--learning-rate {}", short_number(usual.usual));
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule learning_rate_low_rule() {
  return {"learning_rate_low",
          "model, run",
          {{"learning_rate_low.update", 1e-4,
            "the change of a kernel in a step, in times of its norm, that is too little"}},
          look_for_learning_rate_low};
}

}  // namespace plimsoll
