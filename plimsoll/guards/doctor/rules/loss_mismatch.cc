// The loss is not one for these targets.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/guards/doctor/loss_facts.h"
#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

using Targets = LossTargets::Kind;

bool are_probabilities(const std::string& activation) {
  return activation == "softmax" || activation == "sigmoid";
}

std::string loss_for(const OutputFacts& output, const TargetFacts& target) {
  if (target.is_one_hot) return "categorical_crossentropy";
  if (output.units == 1) return "binary_crossentropy";
  return "sparse_categorical_crossentropy";
}

void add(Suspicions& into, double strength, const std::string& what, const std::string& loss,
         const OutputFacts& output) {
  Suspicion suspicion{.cause = "loss_mismatch", .strength = strength, .what = what};
  suspicion.evidence = {{"units", static_cast<double>(output.units)}};
  suspicion.remedy = fmt::format("train with the loss {}", loss);
  suspicion.option = "--loss " + loss;
  suspicion.layer = output.layer;
  into.push_back(std::move(suspicion));
}

// Each value is about as frequent as the others, as classes of a collection are and counts are not.
bool are_balanced(const std::vector<int64_t>& counts) {
  const auto [least, most] = std::ranges::minmax(counts);
  return most <= 2 * least;
}

// A single linear unit may well be meant to give a number, a price or a count: few classes, all as
// frequent, and a run that has had the steps to learn and did not, speak against it.
double as_number(const Patient& patient, const std::vector<int64_t>& counts) {
  constexpr size_t kFewClasses = 10;
  const size_t classes = counts.size();
  if (patient.run() == nullptr || classes > kFewClasses || patient.has_just_begun()) return 0.3;
  // Many columns: a picture, whose class is asked for.
  const bool is_picture = patient.of.data->inputs.size() == 1 &&
                          patient.of.data->inputs[0].columns >= 64 && classes >= 5;
  const double rest = is_picture && are_balanced(counts) ? 0.75 : 0.25;
  return patient.unless_learnt(classes >= 3 ? 0.7 : 0.5, rest);
}

void add_classes_as_number(const Patient& patient, const OutputFacts& output,
                           const TargetFacts& target, Suspicions& into) {
  const size_t classes = target.class_counts.size();
  const bool means_classes = are_probabilities(output.activation) || target.is_one_hot;
  add(into,
      means_classes ? patient.unless_learnt(0.85, 0.4) : as_number(patient, target.class_counts),
      fmt::format("the targets are {} classes, and the loss is one for numbers ({})", classes,
                  output.loss),
      loss_for(output, target), output);
  if (output.units != 1 || classes < 3) return;
  into.back().remedy =
      "if the numbers are classes, give the output a unit for each and train with the loss "
      "sparse_categorical_crossentropy";
  into.back().option = fmt::format("Dense({}, activation=\"softmax\")", classes);
}

void look_for_loss_mismatch(const Patient& patient, Suspicions& into) {
  const OutputFacts* output = patient.output();
  const TargetFacts* target = patient.target();
  if (output == nullptr || target == nullptr) return;
  if (compares(output->loss, Comparison::distance) && are_classes(*target))
    add_classes_as_number(patient, *output, *target, into);
  const bool is_outside = target->least < 0 || target->largest > 1;
  if (compares(output->loss, Comparison::crossentropy) && are_numbers(*target, *output) &&
      is_outside)
    add(into, 0.95,
        fmt::format("the targets are numbers from {} to {}, and the loss is one for classes ({})",
                    short_number(target->least), short_number(target->largest), output->loss),
        "mse", *output);
  // Of two classes that add up to 1, both losses are the same.
  if (is_crossentropy_of(output->loss, Targets::probabilities) && target->is_one_hot &&
      target->width > 2 && are_probabilities(output->activation))
    add(into,
        output->activation == "softmax" ? patient.unless_learnt(0.85, 0.4)
                                        : patient.unless_learnt(patient.run() ? 0.6 : 0.45, 0.3),
        fmt::format("each record has one of {} classes, and the loss takes each class "
                    "as a question of its own",
                    target->width),
        "categorical_crossentropy", *output);
  if (is_crossentropy_of(output->loss, Targets::class_vectors) && output->units > 1 &&
      target->width == 1 && target->is_whole)
    add(into, 0.95,
        fmt::format("the labels are numbers of classes, and the loss takes a row of {} per record",
                    output->units),
        "sparse_categorical_crossentropy", *output);
  if (is_crossentropy_of(output->loss, Targets::class_numbers) && target->is_one_hot)
    add(into, 0.95,
        fmt::format("the labels are rows of {}, one of which is 1, and the loss takes numbers",
                    target->width),
        "categorical_crossentropy", *output);
  const bool takes_classes = is_crossentropy_of(output->loss, Targets::class_vectors) ||
                             is_crossentropy_of(output->loss, Targets::class_numbers);
  if (takes_classes && output->units == 1 && output->activation != "softmax")
    add(into, 0.95, "the loss compares classes with each other, and the output has a single unit",
        are_classes(*target) ? "binary_crossentropy" : "mse", *output);
}

}  // namespace

Rule loss_mismatch_rule() {
  return {"loss_mismatch", "model, data", {}, nullptr, look_for_loss_mismatch};
}

}  // namespace plimsoll
