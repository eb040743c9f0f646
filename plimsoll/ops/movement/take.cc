#include "plimsoll/ops/movement/take.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

// The axis goes to the front, where gather works; its place is taken by the axes of the indices.
Tensor take_in_bounds(const Operand& x, const Tensor& indices, int axis) {
  if (axis == 0) return gather(x, indices);
  std::vector<int> to_front(static_cast<size_t>(x.tensor.rank()));
  std::iota(to_front.begin(), to_front.end(), 0);
  to_front.erase(to_front.begin() + axis);
  to_front.insert(to_front.begin(), axis);
  const Tensor rows = gather(transpose(x, std::move(to_front)), indices);
  std::vector<int> back(static_cast<size_t>(rows.rank()));
  std::iota(back.begin(), back.end(), 0);
  std::rotate(back.begin(), back.begin() + indices.rank(), back.begin() + indices.rank() + axis);
  return transpose(rows, std::move(back));
}

}  // namespace

Tensor take(const Operand& x, const Operand& indices, int axis) {
  axis = normalize_axis(axis, x.tensor.rank(), "take");
  const int64_t size = x.tensor.shape()[axis];
  const Tensor wrapped = select(less(indices, 0), add(indices, size), indices);
  return take_in_bounds(x, wrapped, axis);
}

Tensor take(const Operand& x, const std::vector<int64_t>& indices, int axis) {
  axis = normalize_axis(axis, x.tensor.rank(), "take");
  const int64_t size = x.tensor.shape()[axis];
  std::vector<int64_t> wrapped;
  for (const int64_t index : indices) {
    if (index < -size || index >= size)
      throw InvalidArgument(fmt::format("take: index {} is outside axis {} of {}", index, axis,
                                        x.tensor.shape().to_string()));
    wrapped.push_back(index < 0 ? index + size : index);
  }
  const Tensor rows = constant(wrapped, {static_cast<int64_t>(wrapped.size())}, x.where);
  return take_in_bounds(x, rows, axis);
}

}  // namespace plimsoll
