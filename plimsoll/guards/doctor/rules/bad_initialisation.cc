// Weights begin all alike, or far too large or too small.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule_list.h"
#include "plimsoll/guards/doctor/rules/first_to_last_gradient.h"

namespace plimsoll {
namespace {

// Large weights saturate units and make losses explode. Small ones are usual in older scripts and
// do little harm, unless gradients get lost on their way through them.
double strength_of(const Patient& patient, double spread) {
  constexpr double kFewDecades = 1.5;  // a thirtieth of the usual
  const double decades = std::log10(spread);
  const double limit = std::log10(patient.limits("bad_initialisation.ratio"));
  if (std::abs(decades) <= limit) return 0;
  const bool vanish = patient.run() != nullptr && first_to_last_gradient(*patient.run()) <=
                                                      patient.limits("vanishing_gradients.ratio");
  if (decades > 0 || vanish) return std::min(0.9, 0.3 + 0.6 * std::abs(decades));
  return std::min(0.9, 0.45 + 0.6 * std::max(0.0, -decades - kFewDecades));
}

void look_for_bad_initialisation(const Patient& patient, Suspicions& into) {
  const auto& layers = patient.model().layers;
  const LayerFacts *constant = nullptr, *extreme = nullptr;
  double most = 0;
  for (const LayerFacts& layer : layers) {
    if (layer.kernel_spread < 0 || !layer.is_trained) continue;
    // An output that begins with zeros learns as any other.
    if (layer.kernel_spread < 1e-6) {
      if (!patient.is_last(layer)) constant = &layer;
      continue;
    }
    const double strength = strength_of(patient, layer.kernel_spread);
    if (strength > most) most = strength, extreme = &layer;
  }
  Suspicion suspicion{.cause = "bad_initialisation"};
  if (constant != nullptr) {
    suspicion.strength = patient.unless_learnt(0.97);
    suspicion.layer = constant->name;
    suspicion.what = fmt::format(
        "all weights of the kernel of '{}' are the same at the beginning, "
        "so its units stay alike",
        constant->name);
    suspicion.evidence = {{"spread", 0}};
  } else if (extreme != nullptr) {
    suspicion.strength = patient.unless_learnt(most);
    suspicion.layer = extreme->name;
    suspicion.what = fmt::format("the weights of '{}' begin with {} times the usual deviation",
                                 extreme->name, short_number(extreme->kernel_spread));
    suspicion.evidence = {{"spread", extreme->kernel_spread}};
  } else {
    return;
  }
  suspicion.remedy = "use the initializer that Keras takes by default";
  suspicion.option = "kernel_initializer=\"glorot_uniform\"";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule bad_initialisation_rule() {
  return {"bad_initialisation",
          "model",
          {{"bad_initialisation.ratio", 4,
            "of the deviation of a kernel and the usual one, either way, at most"}},
          look_for_bad_initialisation};
}

}  // namespace plimsoll
