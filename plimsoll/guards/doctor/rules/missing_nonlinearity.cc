// Layers follow each other without a non-linearity between them, so that they are one linear layer.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

// True if a product reads the layer, with nothing but linear layers between.
bool meets_product(const std::vector<LayerFacts>& layers, const LayerFacts& layer, int depth = 0) {
  constexpr int kDeepest = 16;
  for (const int next : layer.feeds) {
    const LayerFacts& reader = layers[static_cast<size_t>(next)];
    if (reader.is_product) return true;
    if (reader.is_linear && depth < kDeepest && meets_product(layers, reader, depth + 1))
      return true;
  }
  return false;
}

void look_for_missing_nonlinearity(const Patient& patient, Suspicions& into) {
  const std::vector<LayerFacts>& layers = patient.model().layers;
  std::vector<std::string> linear;
  int hidden = -1;  // the last product is the output
  for (const LayerFacts& layer : layers) {
    if (!layer.is_product) continue;
    ++hidden;
    if (layer.activation.empty() && meets_product(layers, layer)) linear.push_back(layer.name);
  }
  if (linear.empty() || hidden < 1) return;
  const double share = static_cast<double>(linear.size()) / hidden;
  if (share < patient.limits("missing_nonlinearity.share")) return;
  Suspicion suspicion{.cause = "missing_nonlinearity"};
  suspicion.strength = share >= 1 ? patient.unless_learnt(0.85, 0.55) : patient.unless_learnt(0.7);
  suspicion.what = fmt::format("{} of {} hidden layers have no activation before the next one: {}",
                               linear.size(), hidden, fmt::join(linear, ", "));
  suspicion.evidence = {{"linear_layers", static_cast<double>(linear.size())},
                        {"hidden_layers", static_cast<double>(hidden)}};
  suspicion.remedy = "give hidden layers an activation";
  suspicion.option = "activation=\"relu\"";
  suspicion.layer = linear.front();
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule missing_nonlinearity_rule() {
  return {"missing_nonlinearity",
          "model",
          {{"missing_nonlinearity.share", 0.5, "of the hidden layers, have no activation"}},
          look_for_missing_nonlinearity};
}

}  // namespace plimsoll
