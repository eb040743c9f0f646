#include "plimsoll/train/data/number_ranges.h"

#include "plimsoll/train/data/input_use.h"

namespace plimsoll {

std::optional<WholeNumbers> labels_of(const Loss& loss, const Shape& output) {
  if (!loss.defined()) return std::nullopt;
  const LossTargets& targets = loss.targets();
  const bool has_limit = output.rank() > 0 && output.back() != kUnknown && targets.axis == -1;
  if (targets.kind != LossTargets::Kind::class_numbers || !has_limit) return std::nullopt;
  return WholeNumbers{output.back(), targets.ignored};
}

std::vector<NumberRange> number_ranges(const Network& network, const std::vector<Loss>& losses,
                                       const FieldRoles& roles) {
  std::vector<NumberRange> ranges;
  const std::vector<InputUse> uses = input_uses(network);
  for (size_t i = 0; i < std::min(uses.size(), roles.inputs.size()); ++i)
    if (uses[i].rows > 0)
      ranges.push_back({static_cast<size_t>(roles.inputs[i]), {.limit = uses[i].rows}});
  const Ports outputs = network.outputs();
  for (size_t i = 0; i < std::min(outputs.size(), roles.targets.size()); ++i)
    if (const auto labels = labels_of(losses[i], outputs[i].spec.shape);
        labels && roles.targets[i] >= 0)
      ranges.push_back({static_cast<size_t>(roles.targets[i]), *labels, Flaw::label});
  return ranges;
}

}  // namespace plimsoll
