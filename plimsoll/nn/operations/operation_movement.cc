#include "plimsoll/nn/operations/operation_movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/movement/strided_slice.h"
#include "plimsoll/ops/movement/take.h"

namespace plimsoll {
namespace {

std::vector<int> all_axes(const Tensor& x) {
  std::vector<int> axes(static_cast<size_t>(x.rank()));
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

int axis_of(OperationCall& call, int fallback) {
  call.settings().with("axis", fallback);
  return fallback;
}

// Every element `times` times in a row along the axis.
Tensor repeated(const Tensor& x, int axis, int64_t times) {
  Shape wide = x.shape().with(axis + 1, 1), shape = x.shape();
  const Tensor apart = reshape(x, wide);
  wide[axis + 1] = times;
  shape[axis] *= times;
  return reshape(broadcast_to(apart, wide), shape);
}

// The whole axis `times` times.
Tensor tiled(const Tensor& x, int axis, int64_t times) {
  if (times == 1) return x;
  Shape wide = x.shape().with(axis, 1), shape = x.shape();
  const Tensor apart = reshape(x, wide);
  wide[axis] = times;
  shape[axis] *= times;
  return reshape(broadcast_to(apart, wide), shape);
}

Tensors filled_like(OperationCall& call, const Tensor& value) {
  std::optional<std::string> name;
  const Json* found = call.settings().find("dtype");
  const DType own = call.tensor(0).dtype();
  const DType dtype = found != nullptr && found->is_string()
                          ? dtype_named(found->get<std::string>(), call.settings())
                          : own;
  return {
      broadcast_to(value.dtype() == dtype ? value : cast(value, dtype), call.tensor(0).shape())};
}

std::vector<int64_t> numbers_of(OperationCall& call, const char* key) {
  std::vector<int64_t> numbers;
  call.settings().with(key, numbers);
  return numbers;
}

// One pair per axis; Keras also takes one pair or one number for all.
std::vector<std::pair<int64_t, int64_t>> paddings_of(OperationCall& call, int rank) {
  const Json* found = call.settings().find("pad_width");
  if (found == nullptr) call.settings().refuse("has no pad_width");
  const auto whole = [&](const Json& json) {
    if (!json.is_number_integer()) call.settings().refuse("pad_width must hold whole numbers");
    return json.get<int64_t>();
  };
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int i = 0; i < rank; ++i) {
    const Json* own = found;
    if (found->is_array() && !found->empty() && found->front().is_array())
      own = &(
          *found)[found->size() == 1 ? 0
                                     : std::min<size_t>(static_cast<size_t>(i), found->size() - 1)];
    if (own->is_array() && own->size() == 2)
      pairs.emplace_back(whole((*own)[0]), whole((*own)[1]));
    else
      pairs.emplace_back(whole(own->is_array() && !own->empty() ? own->front() : *own),
                         whole(own->is_array() && !own->empty() ? own->front() : *own));
  }
  return pairs;
}

// The index of the element at each position of a padded axis of `size` whose ends are mirrors.
std::vector<int64_t> mirrored(int64_t size, std::pair<int64_t, int64_t> padding,
                              bool repeats_edge) {
  const int64_t period = std::max<int64_t>(1, repeats_edge ? 2 * size : 2 * size - 2);
  std::vector<int64_t> indices;
  for (int64_t i = -padding.first; i < size + padding.second; ++i) {
    const int64_t at = (i % period + period) % period;
    indices.push_back(at < size ? at : (repeats_edge ? period - 1 - at : period - at));
  }
  return indices;
}

Tensor moved(const Tensor& x, const std::vector<int64_t>& from, const std::vector<int64_t>& to,
             const Fields& fields) {
  if (from.size() != to.size()) fields.refuse("source and destination must be of one length");
  std::vector<int> permutation(static_cast<size_t>(x.rank()), -1), rest = all_axes(x);
  for (size_t i = 0; i < from.size(); ++i) {
    const int source = normalize_axis(static_cast<int>(from[i]), x.rank(), "moveaxis");
    const int target = normalize_axis(static_cast<int>(to[i]), x.rank(), "moveaxis");
    permutation[static_cast<size_t>(target)] = source;
    std::erase(rest, source);
  }
  auto next = rest.begin();
  for (int& axis : permutation)
    if (axis < 0) axis = next == rest.end() ? 0 : *next++;
  return transpose(x, std::move(permutation));
}

}  // namespace

Tensors run_reshape(OperationCall& call) {
  return {reshape(call.tensor(0), Shape(numbers_of(call, "newshape")))};
}

Tensors run_ravel(OperationCall& call) {
  return {reshape(call.tensor(0), {-1})};
}

Tensors run_broadcast_to(OperationCall& call) {
  return {broadcast_to(call.tensor(0), Shape(numbers_of(call, "shape")))};
}

Tensors run_expand_dims(OperationCall& call) {
  std::vector<int> axes;
  call.settings().with("axis", axes);
  Tensor x = call.tensor(0);
  const int rank = x.rank() + static_cast<int>(axes.size());
  for (int& axis : axes) axis = normalize_axis(axis, rank, "expand_dims");
  std::ranges::sort(axes);
  for (const int axis : axes) x = expand_dims(x, axis);
  return {x};
}

Tensors run_squeeze(OperationCall& call) {
  std::vector<int> axes;
  call.settings().with("axis", axes);
  Tensor x = call.tensor(0);
  for (int& axis : axes) axis = normalize_axis(axis, x.rank(), "squeeze");
  if (axes.empty())
    for (int i = 0; i < x.rank(); ++i)
      if (x.shape()[i] == 1) axes.push_back(i);
  std::ranges::sort(axes, std::ranges::greater());
  for (const int axis : axes) x = squeeze(x, axis);
  return {x};
}

Tensors run_transpose(OperationCall& call) {
  std::vector<int> axes;
  call.settings().with("axes", axes);
  return {transpose(call.tensor(0), axes)};
}

Tensors run_moveaxis(OperationCall& call) {
  return {moved(call.tensor(0), numbers_of(call, "source"), numbers_of(call, "destination"),
                call.settings())};
}

Tensors run_swapaxes(OperationCall& call) {
  int one = 0, other = 0;
  call.settings().with("axis1", one).with("axis2", other);
  const Tensor x = call.tensor(0);
  std::vector<int> axes = all_axes(x);
  std::swap(axes[static_cast<size_t>(normalize_axis(one, x.rank(), "swapaxes"))],
            axes[static_cast<size_t>(normalize_axis(other, x.rank(), "swapaxes"))]);
  return {transpose(x, std::move(axes))};
}

Tensors run_concatenate(OperationCall& call) {
  return {concatenate(promoted(call.tensors(0)), axis_of(call, 0))};
}

Tensors run_stack(OperationCall& call) {
  const Tensors parts = promoted(call.tensors(0));
  if (parts.empty()) call.settings().refuse("expected at least one tensor");
  const int axis = normalize_axis(axis_of(call, 0), parts[0].rank() + 1, "stack");
  Tensors rows;
  for (const Tensor& part : parts) rows.push_back(expand_dims(part, axis));
  return {concatenate(rows, axis)};
}

Tensors run_flip(OperationCall& call) {
  std::vector<int> axes;
  call.settings().with("axis", axes);
  const Tensor x = call.tensor(0);
  return {flip(x, axes.empty() ? all_axes(x) : axes)};
}

Tensors run_roll(OperationCall& call) {
  std::vector<int64_t> shifts = numbers_of(call, "shift"), axes = numbers_of(call, "axis");
  const Tensor x = call.tensor(0);
  const bool flat = axes.empty();
  if (flat) axes = {0};
  if (shifts.size() != axes.size() || (flat && shifts.size() != 1))
    call.settings().refuse("expected one shift per axis");
  Tensor y = flat ? reshape(x, {-1}) : x;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int axis = normalize_axis(static_cast<int>(axes[i]), y.rank(), "roll");
    const int64_t size = y.shape()[axis];
    const int64_t shift = size == 0 ? 0 : (shifts[i] % size + size) % size;
    if (shift == 0) continue;
    y = concatenate({part_of(y, axis, size - shift, shift), part_of(y, axis, 0, size - shift)},
                    axis);
  }
  return {flat ? reshape(y, x.shape()) : y};
}

Tensors run_repeat(OperationCall& call) {
  std::optional<int64_t> along;
  call.settings().with("axis", along);
  const std::vector<int64_t> times = numbers_of(call, "repeats");
  const Tensor x = along ? call.tensor(0) : reshape(call.tensor(0), {-1});
  const int axis = normalize_axis(static_cast<int>(along.value_or(0)), x.rank(), "repeat");
  if (times.size() == 1) return {repeated(x, axis, times[0])};
  if (static_cast<int64_t>(times.size()) != x.shape()[axis])
    call.settings().refuse(
        fmt::format("expected one repeat, or one for each of {} elements, found {}",
                    x.shape()[axis], times.size()));
  std::vector<int64_t> indices;
  for (size_t i = 0; i < times.size(); ++i)
    indices.insert(indices.end(), static_cast<size_t>(std::max<int64_t>(0, times[i])),
                   static_cast<int64_t>(i));
  return {take(x, indices, axis)};
}

Tensors run_tile(OperationCall& call) {
  std::vector<int64_t> times = numbers_of(call, "repeats");
  Tensor x = call.tensor(0);
  while (static_cast<int>(times.size()) < x.rank()) times.insert(times.begin(), 1);
  while (x.rank() < static_cast<int>(times.size())) x = expand_dims(x, 0);
  for (int i = 0; i < x.rank(); ++i) x = tiled(x, i, times[static_cast<size_t>(i)]);
  return {x};
}

Tensors run_pad(OperationCall& call) {
  std::string mode = "constant";
  call.settings().with("mode", mode);
  Tensor x = call.tensor(0);
  auto paddings = paddings_of(call, x.rank());
  if (mode == "constant") return {pad(x, std::move(paddings), call.has(1) ? call.number(1) : 0)};
  if (mode != "reflect" && mode != "symmetric")
    call.settings().refuse("the mode '" + mode +
                           "' is not known (known: constant, reflect, "
                           "symmetric)");
  for (int i = 0; i < x.rank(); ++i) {
    const auto padding = paddings[static_cast<size_t>(i)];
    if (padding != std::pair<int64_t, int64_t>())
      x = take(x, mirrored(x.shape()[i], padding, mode == "symmetric"), i);
  }
  return {x};
}

Tensors run_one_hot(OperationCall& call) {
  int64_t classes = 0;
  std::optional<std::string> dtype;
  call.settings().with("num_classes", classes).only("sparse", false);
  const Json* found = call.settings().find("dtype");
  const int axis = axis_of(call, -1);
  const Tensor indices = call.tensor(0);
  Tensor hot =
      one_hot(is_integer(indices.dtype()) ? indices : cast(indices, DType::int32), classes);
  if (found != nullptr && found->is_string())
    hot = cast(hot, dtype_named(found->get<std::string>(), call.settings()));
  const int target = normalize_axis(axis, hot.rank(), "one_hot");
  if (target == hot.rank() - 1) return {hot};
  return {moved(hot, {hot.rank() - 1}, {target}, call.settings())};
}

Tensors run_zeros_like(OperationCall& call) {
  return filled_like(call, scalar(0));
}
Tensors run_ones_like(OperationCall& call) {
  return filled_like(call, scalar(1));
}
Tensors run_full_like(OperationCall& call) {
  return filled_like(call, call.tensor(1));
}

}  // namespace plimsoll
