// Normalisation over the batch, one statistic per channel (the last axis).
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

struct BatchNormalized {
  Tensor y, mean, variance;  // statistics of this batch, biased variance, as Keras
};

BatchNormalized batch_normalize(const Operand& x, const Operand& gamma, const Operand& beta,
                                double epsilon);

// x * scale + shift, both of shape (C,): normalisation with given statistics, folded.
Tensor scale_shift(const Operand& x, const Operand& scale, const Operand& shift);

}  // namespace plimsoll
