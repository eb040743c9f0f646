// A model that learns its records by heart, or that cannot learn them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_overfitting(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run == nullptr || run->epochs.size() < 4) return;
  double least = INFINITY, at_least = 0, last = 0, loss = 0;
  for (const EpochStory& epoch : run->epochs) {
    const auto found = epoch.metrics.find("val_loss");
    if (found == epoch.metrics.end()) continue;
    last = found->second;
    loss = epoch.metrics.at("loss");
    if (last < least) least = last, at_least = loss;
  }
  if (!(last > least * patient.limits("overfitting.rise")) || loss > 0.8 * at_least) return;
  Suspicion suspicion{.cause = "overfitting"};
  suspicion.strength = std::min(0.85, 0.35 + 0.5 * std::log2(last / least));
  suspicion.what = fmt::format("val_loss rose from {} to {} while the loss fell to {}",
                               short_number(least), short_number(last), short_number(loss));
  suspicion.evidence = {{"least_val_loss", least}, {"val_loss", last}, {"loss", loss}};
  suspicion.remedy = "stop at the best epoch, add Dropout, or get more data";
  suspicion.option = "--early-stopping";
  into.push_back(std::move(suspicion));
}

// Too narrow to hold what is to be learnt.
void look_for_capacity(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run == nullptr || patient.symptoms.losses.empty()) return;
  const auto& layers = patient.model().layers;
  int64_t narrowest = 1 << 30;
  std::string name;
  int hidden = -1;
  for (const LayerFacts& layer : layers)
    if (layer.is_product && patient.output() != nullptr && layer.name != patient.output()->layer) {
      ++hidden;
      if (layer.units < narrowest) narrowest = layer.units, name = layer.name;
    }
  if (hidden < 0 || static_cast<double>(narrowest) > patient.limits("model_capacity.units")) return;
  Suspicion suspicion{.cause = "model_capacity", .layer = name};
  suspicion.strength = patient.unless_learnt(narrowest == 1 ? 0.85 : 0.7);
  suspicion.what = fmt::format("everything has to pass the {} unit(s) of '{}'", narrowest, name);
  suspicion.evidence = {{"units", static_cast<double>(narrowest)}};
  suspicion.remedy = "give hidden layers more units";
  suspicion.option = "Dense(64, activation=\"relu\")";
  into.push_back(std::move(suspicion));
}

// What is left where nothing else is found.
void look_for_underfitting(const Patient& patient, Suspicions& into) {
  const Symptoms& it = patient.symptoms;
  if (patient.run() == nullptr || it.has_failed || it.losses.empty()) return;
  if (it.badness < patient.limits("underfitting.badness") || !it.skill) return;
  Suspicion suspicion{.cause = "underfitting", .strength = 0.5 * it.badness};
  suspicion.what = fmt::format(
      "the run made {:.0f}% of the way from a constant answer to a perfect one", 100 * *it.skill);
  suspicion.evidence = {{"skill", *it.skill}, {"loss", it.last_loss}};
  suspicion.remedy = "train a larger model for more epochs";
  suspicion.option = fmt::format("--epochs {}", 4 * it.losses.size());
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule overfitting_rule() {
  return {"overfitting",
          "run",
          {{"overfitting.rise", 1.3, "times its least value that val_loss may rise to"}},
          look_for_overfitting};
}

Rule model_capacity_rule() {
  return {"model_capacity",
          "model, run",
          {{"model_capacity.units", 3, "of a hidden layer, or fewer, are suspicious"}},
          look_for_capacity};
}

Rule underfitting_rule() {
  return {"underfitting",
          "data, run",
          {{"underfitting.badness", 0.7,
            "from 0 (learnt well) to 1 (nothing learnt), from which on it is reported"}},
          look_for_underfitting};
}

}  // namespace plimsoll
