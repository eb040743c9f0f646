// What the ops with coefficients of channels share.
#pragma once

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/op.h"

namespace plimsoll {

// x must be float32 with an axis of channels, and each of `coefficients` float32 (channels,).
inline void refuse_unless_per_channel(const Spec& x, std::span<const Spec> coefficients) {
  if (x.dtype != DType::float32 || x.shape.rank() < 2)
    throw InvalidArgument("x must be float32 with a batch and channels, found " + x.to_string());
  for (const Spec& coefficient : coefficients)
    if (coefficient != Spec{DType::float32, {x.shape.back()}})
      throw InvalidArgument("expected float32 (" + std::to_string(x.shape.back()) +
                            ",), one a channel of x, found " + coefficient.to_string());
}

inline void refuse_unless_same(const Spec& x, const Spec& dy) {
  if (dy != x)
    throw InvalidArgument("dy must be " + x.to_string() + " as x, found " + dy.to_string());
}

inline Layout first_blocked(std::span<const Layout> offered) {
  for (const Layout layout : offered)
    if (!layout.is_plain()) return layout;
  return Layout::plain();
}

}  // namespace plimsoll
