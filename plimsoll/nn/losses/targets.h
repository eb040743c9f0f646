// What targets are, as compile() guesses it for "accuracy" and "crossentropy": by shapes alone.
#pragma once

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

enum class Targets { binary, class_numbers, one_hot };

Targets targets_by_shapes(const Tensor& y_true, const Tensor& y_pred);

}  // namespace plimsoll
