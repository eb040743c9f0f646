// Steps are so large that they overshoot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule_list.h"
#include "plimsoll/guards/doctor/rules/learning_rate.h"

namespace plimsoll {
namespace {

// How much a run shows that its steps overshoot, from 0 to 1.
double overshooting(const Patient& patient) {
  const Symptoms& it = patient.symptoms;
  double shown = 0;
  if (it.has_failed) shown += 0.4;
  const std::optional<NotFiniteStory>& bad = patient.run()->not_finite;
  if (bad && bad->kind == "update") shown += 0.4;
  if (it.rises >= patient.limits("learning_rate_high.rises")) shown += 0.2;
  if (it.update_ratio >= patient.limits("learning_rate_high.update")) shown += 0.3;
  if (it.last_loss > 1.05 * it.first_loss) shown += 0.2;
  if (it.spikes > 0) shown += 0.2;
  return std::min(1.0, shown);
}

void look_for_learning_rate_high(const Patient& patient, Suspicions& into) {
  const ModelFacts& model = patient.model();
  if (model.optimizer.empty() || model.learning_rate <= 0) return;
  const UsualRates usual = usual_rates(model.optimizer);
  const double rate = model.learning_rate / (1 - std::min(0.99, model.momentum));
  const double over = std::log10(rate / usual.largest);
  const double by_rate = std::clamp(0.35 + 0.45 * over, 0.0, 0.95);
  const double shown = patient.run() == nullptr ? 0 : overshooting(patient);
  const double strength = 1 - (1 - by_rate) * (1 - 0.6 * shown);
  if (strength < 0.2) return;
  Suspicion suspicion{.cause = "learning_rate_high", .strength = patient.unless_learnt(strength)};
  suspicion.what = fmt::format("{} has the learning rate {} (usual: {})", model.optimizer,
                               short_number(model.learning_rate), short_number(usual.usual));
  if (shown > 0)
    suspicion.what += fmt::format("; a step changes a kernel by {} of its norm",
                                  short_number(patient.symptoms.update_ratio));
  if (patient.symptoms.spikes > 0)
    suspicion.what +=
        fmt::format("; the loss more than doubled {} time(s)", patient.symptoms.spikes);
  else if (patient.symptoms.rises >= patient.limits("learning_rate_high.rises"))
    suspicion.what +=
        fmt::format("; the loss rises after {:.0f}% of the epochs", 100 * patient.symptoms.rises);
  suspicion.evidence = {{"learning_rate", model.learning_rate},
                        {"usual_learning_rate", usual.usual},
                        {"update_ratio", patient.symptoms.update_ratio},
                        {"rises", patient.symptoms.rises},
                        {"spikes", static_cast<double>(patient.symptoms.spikes)}};
  const double better = rate > usual.largest ? usual.usual : model.learning_rate / 10;
  suspicion.remedy = "lower the learning rate";
  suspicion.option = fmt::format("--learning-rate {}", short_number(better));
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule learning_rate_high_rule() {
  return {"learning_rate_high",
          "model, run",
          {{"learning_rate_high.update", 0.03,
            "the change of a kernel in a step, in times of its norm, that is too much"},
           {"learning_rate_high.rises", 0.3, "of the epochs, in which the loss rises"}},
          look_for_learning_rate_high};
}

}  // namespace plimsoll
