// Weights begin all alike, or far too large or too small.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_bad_initialisation(const Patient& patient, Suspicions& into) {
  const auto& layers = patient.model().layers;
  const LayerFacts *constant = nullptr, *extreme = nullptr;
  double most = 0;  // decades away from the usual spread
  for (const LayerFacts& layer : layers) {
    if (layer.kernel_spread < 0 || !layer.is_trained) continue;
    const bool is_output = patient.output() != nullptr && layer.name == patient.output()->layer;
    // An output that begins with zeros learns as any other.
    if (layer.kernel_spread < 1e-6) {
      if (!is_output) constant = &layer;
      continue;
    }
    const double decades = std::abs(std::log10(layer.kernel_spread));
    if (decades > most) most = decades, extreme = &layer;
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
  } else if (extreme != nullptr && most > std::log10(patient.limits("bad_initialisation.ratio"))) {
    suspicion.strength = patient.unless_learnt(std::min(0.9, 0.3 + 0.6 * most));
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
