// The activation of the last layer does not give what the loss takes.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/guards/doctor/loss_facts.h"
#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

bool is_one_of(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

struct Found {
  double strength;
  std::string what, wanted;
  std::string option = {};  // empty: the activation is to be written into the model
  double rest = 1;          // of the strength, where all was learnt that there is
};

bool takes_class_rows(const std::string& loss) {
  return is_crossentropy_of(loss, LossTargets::Kind::class_vectors) ||
         is_crossentropy_of(loss, LossTargets::Kind::class_numbers);
}

bool takes_binary(const std::string& loss) {
  return is_crossentropy_of(loss, LossTargets::Kind::probabilities);
}

std::string shown(const std::string& activation) {
  return activation.empty() ? "no activation" : "the activation " + activation;
}

std::optional<Found> of_crossentropy(const OutputFacts& output) {
  const std::string& activation = output.activation;
  if (activation == "softmax" && output.units == 1)
    return Found{0.98, "softmax on a single unit is always 1", "sigmoid"};
  // One sigmoid is right for two classes: there the loss is not.
  if (takes_class_rows(output.loss) && !(output.units == 1 && activation == "sigmoid")) {
    if (output.from_logits && is_one_of(activation, {"softmax", "sigmoid"}))
      return Found{
          0.9,
          fmt::format("the loss takes logits (from_logits=True), and the last layer has {}",
                      shown(activation)),
          "linear", "--no-from-logits"};
    if (!output.from_logits && activation == "sigmoid")
      return Found{0.75, "sigmoid makes no probabilities over classes that add up to 1", "softmax",
                   "", 0.4};
    if (!output.from_logits && !is_one_of(activation, {"softmax", "sigmoid"}))
      return Found{
          0.95,
          fmt::format("the loss takes probabilities, and the last layer has {}", shown(activation)),
          "softmax", activation.empty() ? "--from-logits" : ""};
  }
  if (takes_binary(output.loss)) {
    if (output.from_logits && activation == "sigmoid")
      return Found{0.9,
                   "the loss takes logits (from_logits=True), and the last layer has a sigmoid",
                   "linear", "--no-from-logits"};
    if (!output.from_logits && !is_one_of(activation, {"sigmoid", "softmax", "hard_sigmoid"}))
      return Found{
          0.95,
          fmt::format("the loss takes probabilities, and the last layer has {}", shown(activation)),
          "sigmoid", activation.empty() ? "--from-logits" : ""};
  }
  return std::nullopt;
}

// The range of numbers that an activation can give.
std::optional<std::pair<double, double>> range_of(const std::string& activation) {
  if (is_one_of(activation, {"sigmoid", "softmax", "hard_sigmoid"})) return std::pair{0.0, 1.0};
  if (is_one_of(activation, {"tanh", "softsign"})) return std::pair{-1.0, 1.0};
  if (is_one_of(activation, {"relu", "softplus", "exponential"})) return std::pair{0.0, 1e300};
  return std::nullopt;
}

// Rows in which several numbers are 1 are questions of their own, whose answers do not add up to 1.
std::optional<Found> of_labels(const OutputFacts& output, const TargetFacts& target) {
  const bool are_labels = target.is_whole && target.width > 1 && target.least >= 0 &&
                          target.largest <= 1 && !target.is_one_hot;
  if (!are_labels || output.activation != "softmax" ||
      !(takes_class_rows(output.loss) || takes_binary(output.loss)))
    return std::nullopt;
  return Found{0.85, "a record has several labels, and softmax divides one whole among them",
               "sigmoid", "", 0.3};
}

// Losses of numbers, with an activation that is no probability.
std::optional<Found> of_classes(const OutputFacts& output, const TargetFacts& target) {
  const bool is_binary = output.units == 1 && target.class_counts.size() == 2 &&
                         target.least == 0 && target.largest == 1;
  if (!is_binary || takes_binary(output.loss) || takes_class_rows(output.loss) ||
      compares(output.loss, Comparison::margin) || !is_one_of(output.activation, {"relu", "tanh"}))
    return std::nullopt;
  return Found{
      0.75,
      fmt::format("the targets are 0 and 1, and {} gives no probability of 1", output.activation),
      "sigmoid", "", 0.3};
}

std::optional<Found> of_numbers(const OutputFacts& output, const TargetFacts& target) {
  const auto range = range_of(output.activation);
  if (!range || takes_class_rows(output.loss) || takes_binary(output.loss)) return std::nullopt;
  if (output.activation == "softmax" && output.units == 1)
    return Found{0.98, "softmax on a single unit is always 1", "linear"};
  // Probabilities of classes are what is wanted; the loss is not.
  if (are_classes(target) && range->second == 1 && range->first == 0) return std::nullopt;
  const double room = 1e-3 * (target.largest - target.least);
  if (target.least >= range->first - room && target.largest <= range->second + room)
    return std::nullopt;
  return Found{0.95,
               fmt::format("{} cannot give the targets, which go from {} to {}", output.activation,
                           short_number(target.least), short_number(target.largest)),
               "linear"};
}

std::optional<Found> find_wrong(const OutputFacts& output, const TargetFacts* target) {
  // A crossentropy of prices is wrong with any activation.
  const bool are_prices = target != nullptr && are_numbers(*target, output) &&
                          (target->least < 0 || target->largest > 1);
  std::optional<Found> found;
  if (!are_prices || output.activation == "softmax") found = of_crossentropy(output);
  if (target == nullptr) return found;
  if (!found) found = of_labels(output, *target);
  if (!found) found = of_classes(output, *target);
  if (!found) found = of_numbers(output, *target);
  return found;
}

void look_for_output_activation(const Patient& patient, Suspicions& into) {
  const OutputFacts* output = patient.output();
  if (output == nullptr || output->loss.empty()) return;
  if (output->activation == kUnknownActivation) return;
  const std::optional<Found> found = find_wrong(*output, patient.target());
  if (!found) return;
  const TargetFacts* target = patient.target();
  Suspicion suspicion{.cause = "output_activation"};
  suspicion.strength = patient.unless_learnt(found->strength, found->rest);
  suspicion.what = found->what;
  suspicion.evidence = {{"units", static_cast<double>(output->units)}};
  if (target != nullptr) {
    suspicion.evidence.emplace_back("least_target", target->least);
    suspicion.evidence.emplace_back("largest_target", target->largest);
  }
  suspicion.remedy = found->option.empty()
                         ? fmt::format("give the last layer the activation {}", found->wanted)
                         : fmt::format(
                               "give the last layer the activation {}, or change what the "
                               "loss takes",
                               found->wanted);
  suspicion.option =
      found->option.empty() ? fmt::format("activation=\"{}\"", found->wanted) : found->option;
  suspicion.layer = output->layer;
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule output_activation_rule() {
  return {"output_activation", "model", {}, nullptr, look_for_output_activation};
}

}  // namespace plimsoll
