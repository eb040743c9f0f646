// The output has another number of units than there are classes.
#include <fmt/format.h>

#include "plimsoll/guards/doctor/loss_facts.h"
#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

using Targets = LossTargets::Kind;

// A record has as many numbers to predict as the output gives.
void add_width(const OutputFacts& output, const TargetFacts& target, Suspicions& into) {
  const bool takes_labels = is_crossentropy_of(output.loss, Targets::class_numbers);
  const bool are_labels = target.width == 1 && target.is_whole &&
                          is_crossentropy_of(output.loss, Targets::class_vectors);
  if (output.width == 0 || takes_labels || are_labels || output.width == target.width) return;
  Suspicion suspicion{.cause = "output_units", .strength = 0.9, .layer = output.layer};
  suspicion.what = fmt::format("a record has {} number(s) to predict, and the output gives {}",
                               target.width, output.width);
  suspicion.evidence = {{"units", static_cast<double>(output.width)},
                        {"targets", static_cast<double>(target.width)}};
  suspicion.remedy = fmt::format("give the last layer {} unit(s)", target.width);
  suspicion.option = fmt::format("Dense({})", target.width);
  into.push_back(std::move(suspicion));
}

void look_for_output_units(const Patient& patient, Suspicions& into) {
  const OutputFacts* output = patient.output();
  const TargetFacts* target = patient.target();
  if (output == nullptr || target == nullptr) return;
  add_width(*output, *target, into);
  if (target->is_one_hot || are_numbers(*target, *output)) return;
  const bool is_binary = output->units == 1 && output->activation == "sigmoid";
  const bool takes_labels = is_crossentropy_of(output->loss, Targets::class_numbers);
  const auto classes = static_cast<int64_t>(target->largest) + 1;
  Suspicion suspicion{.cause = "output_units", .layer = output->layer};
  suspicion.evidence = {{"units", static_cast<double>(output->units)},
                        {"largest_label", target->largest}};
  if (is_binary && is_crossentropy_of(output->loss, Targets::probabilities) &&
      target->largest > 1 && target->class_counts.size() != 2) {
    suspicion.strength = 0.9;
    suspicion.what = fmt::format("labels go up to {}, and one sigmoid knows two classes",
                                 short_number(target->largest));
  } else if (takes_labels && classes > output->units &&
             std::ssize(target->class_counts) > output->units) {
    suspicion.strength = 0.95;
    suspicion.what = fmt::format("labels go up to {}, and the output has {} units",
                                 short_number(target->largest), output->units);
  } else if (takes_labels && output->units > 2 * classes && patient.of.data->looked_at >= 200) {
    suspicion.strength = patient.unless_learnt(0.45);
    suspicion.what = fmt::format("the output has {} units for {} classes", output->units, classes);
  } else {
    return;
  }
  suspicion.remedy = fmt::format(
      "give the last layer {} units with softmax, and train with sparse_categorical_crossentropy",
      classes);
  suspicion.option = fmt::format("Dense({}, activation=\"softmax\")", classes);
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule output_units_rule() {
  return {"output_units", "model, data", {}, nullptr, look_for_output_units};
}

}  // namespace plimsoll
