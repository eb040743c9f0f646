// What the rows of losses say of the loss of an output, by Keras's class name. A loss without a
// row, a program's own, is none of these.
#pragma once

#include <string_view>

#include "plimsoll/nn/losses/loss_list.h"

namespace plimsoll {

inline bool compares(std::string_view loss, Comparison comparison) {
  const LossKind* kind = find_loss(loss);
  return kind != nullptr && kind->comparison == comparison;
}

inline bool is_crossentropy_of(std::string_view loss, LossTargets::Kind targets) {
  return compares(loss, Comparison::crossentropy) &&
         find_loss(loss)->make().targets().kind == targets;
}

inline ConstantAnswer constant_answer(std::string_view loss) {
  const LossKind* kind = find_loss(loss);
  return kind == nullptr ? ConstantAnswer::unknown : kind->constant_answer;
}

}  // namespace plimsoll
