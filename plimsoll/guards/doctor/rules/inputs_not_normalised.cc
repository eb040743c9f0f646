// The numbers that meet the first weights are far from 1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

// 0.4 at the threshold, 0.9 at ten times it.
double strength_of(double ratio) {
  return std::min(0.9, 0.4 + 0.5 * std::log10(std::max(1.0, ratio)));
}

void add(const Patient& patient, const InputFacts& input, double strength, const std::string& what,
         Suspicions& into) {
  const bool is_image = input.least >= 0 && input.largest > 200 && input.largest <= 255;
  Suspicion suspicion{.cause = "inputs_not_normalised", .what = what};
  suspicion.strength = patient.unless_learnt(strength, 0.52);
  suspicion.evidence = {{"mean", input.mean},
                        {"deviation", input.deviation},
                        {"least", input.least},
                        {"largest", input.largest},
                        {"column_ratio", input.column_ratio}};
  suspicion.remedy = is_image ? "divide images by 255, or begin the model with Rescaling(1/255)"
                              : "subtract the mean and divide by the deviation of each column, or "
                                "begin the model with a Normalization layer that was adapted";
  suspicion.option = "--normalise";
  into.push_back(std::move(suspicion));
}

// Inputs of one model are of one mistake: the worst counts.
void keep_strongest(Suspicions& found, Suspicions& into) {
  const auto worst = std::ranges::max_element(found, {}, &Suspicion::strength);
  if (worst != found.end()) into.push_back(std::move(*worst));
}

void look_for_inputs_not_normalised(const Patient& patient, Suspicions& into) {
  if (!patient.of.data) return;
  Suspicions found;
  for (const InputFacts& input : patient.of.data->inputs) {
    if (!input.meets_weights || input.columns == input.constant_columns) continue;
    const double size = std::sqrt(input.mean * input.mean + input.deviation * input.deviation);
    const double largest = patient.limits("inputs_not_normalised.size");
    const double least = patient.limits("inputs_not_normalised.least_size");
    const double ratio = patient.limits("inputs_not_normalised.column_ratio");
    const std::string range = fmt::format(
        "input '{}' has numbers from {} to {}, with mean {} and "
        "deviation {}",
        input.name, short_number(input.least), short_number(input.largest),
        short_number(input.mean), short_number(input.deviation));
    if (size > largest)
      add(patient, input, strength_of(size / largest), range, found);
    else if (size < least)
      add(patient, input, strength_of(least / std::max(size, 1e-30)), range, found);
    else if (input.column_ratio > ratio && size > 1.5)
      add(patient, input, strength_of(input.column_ratio / ratio) - 0.1,
          fmt::format("columns of input '{}' differ in scale: the largest deviation is {} times "
                      "the median one",
                      input.name, short_number(input.column_ratio)),
          found);
  }
  keep_strongest(found, into);
}

}  // namespace

Rule inputs_not_normalised_rule() {
  return {"inputs_not_normalised",
          "model, data",
          {{"inputs_not_normalised.size", 8, "root of the mean square of the inputs, at most"},
           {"inputs_not_normalised.least_size", 0.01, "the same, at least"},
           {"inputs_not_normalised.column_ratio", 30,
            "the largest deviation of a column in times of the median one, at most"}},
          look_for_inputs_not_normalised};
}

}  // namespace plimsoll
