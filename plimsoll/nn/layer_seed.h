// The random numbers of a layer: of its own seed if its options have one, else of the clock's.
#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/graph/variable.h"
#include "plimsoll/ops/random/random.h"

namespace plimsoll {

class LayerSeed {
 public:
  LayerSeed() = default;
  explicit LayerSeed(std::optional<int64_t> seed);

  // As Clock::draw().
  RandomState draw() const;

 private:
  Variable own_;  // undefined: the clock's
};

}  // namespace plimsoll
