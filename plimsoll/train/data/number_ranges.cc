#include "plimsoll/train/data/number_ranges.h"

#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/train/data/input_use.h"

namespace plimsoll {
namespace {

// True if targets of this shape are class numbers; both shapes have the samples first.
bool are_class_numbers(const LossTargets& targets, const Shape& target, const Shape& output) {
  return targets.kind == LossTargets::Kind::class_numbers ||
         (targets.kind == LossTargets::Kind::any_classes &&
          targets_by_shapes(target, output) == Targets::class_numbers);
}

// The class numbers that a loss takes for the targets of an output; none: any numbers.
std::optional<WholeNumbers> labels_of(const Loss& loss, const Spec& target, const Shape& output) {
  if (!loss.defined()) return std::nullopt;
  const LossTargets& targets = loss.targets();
  const bool has_limit = output.rank() > 0 && output.back() != kUnknown && targets.axis == -1;
  if (!has_limit || !are_class_numbers(targets, target.shape.with(0, output[0]), output))
    return std::nullopt;
  return WholeNumbers{output.back(), targets.ignored};
}

}  // namespace

std::vector<NumberRange> number_ranges(const Network& network, const std::vector<Loss>& losses,
                                       const Specs& fields, const FieldRoles& roles) {
  std::vector<NumberRange> ranges;
  const std::vector<InputUse> uses = input_uses(network);
  for (size_t i = 0; i < std::min(uses.size(), roles.inputs.size()); ++i)
    if (uses[i].rows > 0)
      ranges.push_back({static_cast<size_t>(roles.inputs[i]), {.limit = uses[i].rows}});
  const Ports outputs = network.outputs();
  for (size_t i = 0; i < std::min(outputs.size(), roles.targets.size()); ++i) {
    if (roles.targets[i] < 0) continue;
    const auto field = static_cast<size_t>(roles.targets[i]);
    if (const auto labels = labels_of(losses[i], fields[field], outputs[i].spec.shape))
      ranges.push_back({field, *labels, Flaw::label});
  }
  return ranges;
}

}  // namespace plimsoll
