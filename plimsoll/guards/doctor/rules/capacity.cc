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
  // Early stopping has ended it.
  if (run->status == "done" && std::ssize(run->epochs) < run->planned_epochs) return;
  double least = INFINITY, at_least = 0, last = 0, loss = 0;
  for (const EpochStory& epoch : run->epochs) {
    const auto found = epoch.metrics.find("val_loss");
    if (found == epoch.metrics.end()) continue;
    last = found->second;
    loss = epoch.metrics.at("loss");
    if (last < least) least = last, at_least = loss;
  }
  if (!(last > least * patient.limits("overfitting.rise")) || loss > 0.8 * at_least) return;
  // Of a nearly perfect run, a loss that has doubled is still nothing.
  const std::optional<double> baseline = patient.symptoms.baseline;
  if (baseline && *baseline > 0 &&
      (last - least) / *baseline <= patient.limits("overfitting.skill"))
    return;
  Suspicion suspicion{.cause = "overfitting"};
  suspicion.strength = std::min(0.85, 0.35 + 0.5 * std::log2(last / least));
  suspicion.what = fmt::format("val_loss rose from {} to {} while the loss fell to {}",
                               short_number(least), short_number(last), short_number(loss));
  suspicion.evidence = {{"least_val_loss", least}, {"val_loss", last}, {"loss", loss}};
  suspicion.remedy = "stop at the best epoch, add Dropout, or get more data";
  suspicion.option = "--early-stopping";
  into.push_back(std::move(suspicion));
}

Suspicion of_hidden_layer(const Patient& patient, double strength, const std::string& what) {
  Suspicion suspicion{.cause = "model_capacity", .strength = strength, .what = what};
  suspicion.layer = patient.output()->product_layer;
  suspicion.evidence = {{"skill", *patient.symptoms.skill}};
  suspicion.remedy = "put hidden layers before the last one";
  suspicion.option = "Dense(64, activation=\"relu\")";
  return suspicion;
}

// A linear model that predicts much worse than the records that are most like a record.
void look_for_hidden_layer(const Patient& patient, Suspicions& into) {
  const TargetFacts* target = patient.target();
  const std::optional<double> skill = patient.symptoms.skill;
  if (target == nullptr || !skill) return;
  if (!target->neighbour_skill) {  // a table of XOR has too few records to compare
    if (patient.symptoms.badness >= 1 && !patient.symptoms.has_failed)
      into.push_back(
          of_hidden_layer(patient, 0.6, "the model has no hidden layer, and has learnt nothing"));
    return;
  }
  const double missed = *target->neighbour_skill - *skill;
  if (missed < patient.limits("model_capacity.missed")) return;
  const std::string what = fmt::format(
      "the model has no hidden layer, and makes {:.0f}% of the way from a constant answer to a "
      "perfect one, where the records that are most like a record make {:.0f}%",
      100 * *skill, 100 * *target->neighbour_skill);
  Suspicion suspicion = of_hidden_layer(patient, std::min(0.8, 0.35 + missed), what);
  suspicion.evidence.emplace_back("neighbour_skill", *target->neighbour_skill);
  into.push_back(std::move(suspicion));
}

// Too narrow to hold what is to be learnt.
void look_for_capacity(const Patient& patient, Suspicions& into) {
  if (patient.run() == nullptr || patient.symptoms.losses.empty()) return;
  if (patient.output() == nullptr) return;
  const LayerFacts* narrowest = nullptr;
  int products = 0;
  for (const LayerFacts& layer : patient.model().layers) {
    if (!layer.is_product) continue;
    ++products;
    if (patient.is_last(layer) || layer.units <= 0) continue;
    if (narrowest == nullptr || layer.units < narrowest->units) narrowest = &layer;
  }
  const std::vector<LayerFacts>& layers = patient.model().layers;
  // What is neither a product nor linear may be a hidden layer too: an Embedding, attention.
  const bool is_linear = products == 1 && patient.output()->activation != kUnknownActivation &&
                         std::ranges::all_of(layers, [](const LayerFacts& it) {
                           return it.units >= 0 && (it.is_product || it.is_linear ||
                                                    it.is_activation || it.normalizes);
                         });
  if (is_linear) look_for_hidden_layer(patient, into);
  if (narrowest == nullptr ||
      static_cast<double>(narrowest->units) > patient.limits("model_capacity.units"))
    return;
  Suspicion suspicion{.cause = "model_capacity", .layer = narrowest->name};
  const double strength = narrowest->units == 1 ? 0.85 : 0.7;
  suspicion.strength = patient.unless_learnt(patient.has_just_begun() ? strength / 2 : strength);
  suspicion.what = fmt::format("everything has to pass the {} unit(s) of '{}'", narrowest->units,
                               narrowest->name);
  suspicion.evidence = {{"units", static_cast<double>(narrowest->units)}};
  suspicion.remedy = "give hidden layers more units";
  suspicion.option = "Dense(64, activation=\"relu\")";
  into.push_back(std::move(suspicion));
}

// The last resort: the run learnt badly, and no other rule says why.
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
          {{"overfitting.rise", 1.3, "times its least value that val_loss may rise to"},
           {"overfitting.skill", 0.05,
            "of the way from a constant answer to a perfect one that the validation may lose"}},
          look_for_overfitting};
}

Rule model_capacity_rule() {
  return {"model_capacity",
          "model, run",
          {{"model_capacity.units", 3, "of a hidden layer, or fewer, are suspicious"},
           {"model_capacity.missed", 0.25,
            "of the way to a perfect answer that a model without hidden layers may make less than "
            "the most similar records"}},
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
