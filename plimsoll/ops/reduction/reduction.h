// Reductions over axes (empty: all of them), and functions that are built on a row's maximum or
// sum.
#pragma once

#include <vector>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

Tensor sum(const Operand& x, std::vector<int> axes = {}, bool keepdims = false);
Tensor mean(const Operand& x, std::vector<int> axes = {}, bool keepdims = false);
// The gradient goes to the maximal elements, divided equally among ties.
Tensor max(const Operand& x, std::vector<int> axes = {}, bool keepdims = false);
Tensor min(const Operand& x, std::vector<int> axes = {}, bool keepdims = false);
Tensor prod(const Operand& x, std::vector<int> axes = {}, bool keepdims = false);
// The first index of the maximum, int32.
Tensor argmax(const Operand& x, int axis = -1);

Tensor softmax(const Operand& x, int axis = -1);
Tensor log_softmax(const Operand& x, int axis = -1);

// One loss per row (the last axis is the classes): -log softmax(logits)[label]. `labels` is int32
// or int64 of the shape without that axis; if a label is outside, the step throws an error that
// names the row, the label and the number of classes.
Tensor sparse_softmax_cross_entropy(const Operand& logits, const Operand& labels);
// -sum(target * log softmax(logits)), targets of the logits' shape.
Tensor softmax_cross_entropy(const Operand& logits, const Operand& targets);

}  // namespace plimsoll
