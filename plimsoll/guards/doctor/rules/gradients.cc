// Gradients that get lost or grow on their way from the loss to the first layers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule_list.h"
#include "plimsoll/guards/doctor/rules/first_to_last_gradient.h"

namespace plimsoll {
namespace {

// The root of the mean square of a gradient.
double size_of(const VariableStatistics& variable) {
  return variable.gradient_norm /
         std::sqrt(std::max<double>(1, static_cast<double>(variable.elements)));
}

std::vector<const VariableStatistics*> kernels(const StepStatistics& step) {
  std::vector<const VariableStatistics*> found;
  for (const VariableStatistics& variable : step.variables)
    if (variable.is_trained && variable.name.ends_with("kernel")) found.push_back(&variable);
  return found;
}

double largest_norm(const RunStory& run, std::string& layer) {
  double largest = 0;
  for (const StepStatistics& step : run.statistics)
    for (const VariableStatistics* kernel : kernels(step))
      if (kernel->gradient_norm > largest) {
        largest = kernel->gradient_norm;
        layer = kernel->layer;
      }
  return largest;
}

constexpr double kLearntWell = 0.9;  // of the way from a constant answer to a perfect one

double sigmoids(const Patient& patient) {
  return static_cast<double>(
      std::ranges::count_if(patient.model().layers, [&](const LayerFacts& it) {
        return it.is_product && it.activation == "sigmoid" && !patient.is_last(it);
      }));
}

void look_for_vanishing(const Patient& patient, Suspicions& into) {
  if (patient.run() == nullptr) return;
  const double ratio = first_to_last_gradient(*patient.run());
  if (ratio <= 0 || ratio > patient.limits("vanishing_gradients.ratio")) return;
  Suspicion suspicion{.cause = "vanishing_gradients"};
  const double decades = std::log10(patient.limits("vanishing_gradients.ratio") / ratio);
  // Of many sigmoids in a row this is sure, and the last layers may learn a good part all the same.
  const bool is_sure = sigmoids(patient) >= patient.limits("vanishing_gradients.sigmoids") &&
                       patient.symptoms.skill.value_or(1) < kLearntWell;
  suspicion.strength =
      patient.unless_learnt(std::min(0.9, 0.5 + 0.2 * decades), is_sure ? 0.65 : 0.25);
  suspicion.what =
      fmt::format("gradients of the first layer are {} times as large as those of the last",
                  short_number(ratio));
  suspicion.evidence = {{"first_to_last", ratio}};
  suspicion.remedy =
      "use relu and he_normal in hidden layers, add BatchNormalization, or use fewer layers";
  suspicion.option = "activation=\"relu\", kernel_initializer=\"he_normal\"";
  into.push_back(std::move(suspicion));
}

void look_for_exploding(const Patient& patient, Suspicions& into) {
  if (patient.run() == nullptr) return;
  std::string layer;
  const double norm = largest_norm(*patient.run(), layer);
  const double limit = patient.limits("exploding_gradients.norm");
  if (norm < limit) return;
  Suspicion suspicion{.cause = "exploding_gradients", .layer = layer};
  suspicion.strength = patient.unless_learnt(std::min(0.75, 0.4 + 0.1 * std::log10(norm / limit)));
  suspicion.what = fmt::format("a gradient has the norm {}", short_number(norm));
  suspicion.evidence = {{"gradient_norm", norm}};
  suspicion.remedy = "clip gradients";
  suspicion.option = "--global-clipnorm 1";
  into.push_back(std::move(suspicion));
}

}  // namespace

double first_to_last_gradient(const RunStory& run) {
  std::vector<double> ratios;
  for (const StepStatistics& step : run.statistics) {
    const auto all = kernels(step);
    if (all.size() < 3 || size_of(*all.back()) <= 0) continue;
    ratios.push_back(size_of(*all.front()) / size_of(*all.back()));
  }
  if (ratios.empty()) return 1;
  std::ranges::sort(ratios);
  return ratios[ratios.size() / 2];
}

Rule vanishing_gradients_rule() {
  return {"vanishing_gradients",
          "run",
          {{"vanishing_gradients.ratio", 3e-3,
            "gradients of the first layer in times of those of the last, at least"},
           {"vanishing_gradients.sigmoids", 5, "hidden layers, or more, that let them vanish"}},
          look_for_vanishing};
}

Rule exploding_gradients_rule() {
  return {"exploding_gradients",
          "run",
          {{"exploding_gradients.norm", 300, "of the gradient of a kernel, at most"}},
          look_for_exploding};
}

}  // namespace plimsoll
