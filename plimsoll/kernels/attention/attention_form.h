// The settings of an attention kernel.
#pragma once

#include <cstdint>

namespace plimsoll::kernels {

struct AttentionForm {
  double scale = 1;
  bool causal = false;  // a query sees no key after its own position
  bool masked = false;  // an input says which pairs count
  double dropout = 0;   // of probabilities; > 0: inputs of a random state follow
  uint64_t stream = 0;

  int state_input() const { return masked ? 4 : 3; }
};

}  // namespace plimsoll::kernels
