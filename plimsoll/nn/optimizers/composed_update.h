// For optimizers whose rule is made of ordinary ops, not of one fused update: it is written in the
// optimizer's own file, and the engine joins its elementwise parts.
#pragma once

#include <utility>

#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/update/update.h"

namespace plimsoll {

// Does what every fused update does around its rule: the gradient is scaled and clipped and the
// weight decays before it, and nothing changes if the switch is off. `rule(weight, gradient)`
// returns the new weight and the new slots, in the order of `slots`.
template <class Rule>
Updated composed_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                        const UpdateScalars& scalars, Rule rule) {
  Tensor g = scalars.gradient_scale.defined() ? gradient * scalars.gradient_scale : gradient;
  if (scalars.clip_value > 0) g = clip(g, -scalars.clip_value, scalars.clip_value);
  const Tensor w = scalars.weight_decay.defined() ? weight - weight * scalars.weight_decay : weight;
  Updated updated = rule(w, g);
  if (!scalars.is_on.defined()) return updated;
  const Tensor is_on = not_equal(scalars.is_on, 0);
  updated.weight = select(is_on, updated.weight, weight);
  for (size_t i = 0; i < slots.size(); ++i)
    updated.slots[i] = select(is_on, updated.slots[i], slots[i]);
  return updated;
}

}  // namespace plimsoll
