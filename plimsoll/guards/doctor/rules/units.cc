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

// Statistics have layers within wrappers by their own paths.
bool is_output(const Patient& patient, const std::string& layer) {
  return std::ranges::any_of(patient.model().outputs, [&](const OutputFacts& output) {
    return layer == output.layer || layer == output.product_layer ||
           (!output.layer.empty() && layer.starts_with(output.layer + "/"));
  });
}

// A unit that gives 0 for every record gets no gradient any more.
bool can_die(const std::string& activation) {
  return activation == "relu" || activation == "relu6";
}

Worst worst_layer(const Patient& patient, double LayerStatistics::*share, bool is_relu) {
  const std::vector<StepStatistics>& steps = patient.run()->statistics;
  std::map<std::string, std::vector<double>> shares;
  for (size_t i = steps.size() / 2; i < steps.size(); ++i)
    for (const LayerStatistics& layer : steps[i].layers)
      if (can_die(layer.activation) == is_relu && !is_output(patient, layer.layer))
        shares[layer.layer].push_back(layer.*share);
  Worst worst;
  for (auto& [layer, values] : shares) {
    std::ranges::sort(values);
    if (values[values.size() / 2] > worst.share) worst = {values[values.size() / 2], layer};
  }
  return worst;
}

// A relu as the last activation that gives 0 for every record gets no gradient any more.
void look_for_dead_output(const Patient& patient, Suspicions& into) {
  const OutputFacts* output = patient.output();
  if (output == nullptr || output->activation != "relu") return;
  for (const LayerStatistics& layer : patient.run()->statistics.back().layers) {
    if (layer.layer != output->layer || layer.dead_unit_share < 1) continue;
    Suspicion suspicion{.cause = "output_activation", .layer = layer.layer};
    suspicion.strength = patient.unless_learnt(0.85);
    suspicion.what =
        fmt::format("the relu of the last layer '{}' gives 0 for every record", layer.layer);
    suspicion.evidence = {{"dead_unit_share", layer.dead_unit_share}};
    suspicion.remedy = "give the last layer the activation linear, or sigmoid for classes";
    suspicion.option = "activation=\"linear\"";
    into.push_back(std::move(suspicion));
  }
}

void look_for_dead(const Patient& patient, Suspicions& into) {
  if (patient.run() == nullptr || patient.run()->statistics.empty()) return;
  look_for_dead_output(patient, into);
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

// A softmax between layers lets one unit through and holds the others near 0.
void look_for_hidden_softmax(const Patient& patient, Suspicions& into) {
  const std::vector<LayerFacts>& layers = patient.model().layers;
  for (const LayerFacts& layer : layers) {
    const bool meets_product = std::ranges::any_of(layer.feeds, [&](int next) {
      const LayerFacts& reader = layers[static_cast<size_t>(next)];
      return reader.is_product || (reader.dropout > 0 && !reader.feeds.empty());
    });
    if (!layer.is_product || layer.activation != "softmax" || !meets_product) continue;
    Suspicion suspicion{.cause = "saturation", .layer = layer.name};
    suspicion.strength = patient.unless_learnt(0.85, 0.55);
    suspicion.what = fmt::format(
        "the hidden layer '{}' has the activation softmax, whose units add up to 1", layer.name);
    suspicion.evidence = {{"units", static_cast<double>(layer.units)}};
    suspicion.remedy = "give hidden layers the activation relu";
    suspicion.option = "activation=\"relu\"";
    into.push_back(std::move(suspicion));
    return;
  }
}

void look_for_saturated(const Patient& patient, Suspicions& into) {
  look_for_hidden_softmax(patient, into);
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
          "model, run",
          {{"saturation.share", 0.5, "of the outputs of a layer, at most"}},
          look_for_saturated};
}

}  // namespace plimsoll
