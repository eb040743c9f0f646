#include "plimsoll/nn/operations/operation_indexing.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/movement/strided_slice.h"
#include "plimsoll/ops/movement/take.h"

namespace plimsoll {
namespace {

bool is_object_of(const Json& json, const char* class_name) {
  return json.is_object() && json.contains("class_name") && json["class_name"] == class_name;
}

bool takes_an_axis(const Json& key) {
  return !key.is_null() && !is_object_of(key, "__ellipsis__");
}

// What x[key] does with its axes: a strided slice, then axes of one element dropped, then new ones.
struct Picture {
  std::vector<int64_t> begin, size, step;
  std::vector<bool> dropped;     // an axis that was indexed by a number
  std::vector<int> kept_before;  // for each new axis: how many axes are before it
};

void keep_axis(Picture& picture) {
  picture.begin.push_back(0);
  picture.size.push_back(-1);
  picture.step.push_back(1);
  picture.dropped.push_back(false);
}

std::optional<int64_t> part(const Json& slice, const char* name, const Fields& fields) {
  const Json& config = slice["config"];
  if (!config.is_object() || !config.contains(name) || config[name].is_null()) return std::nullopt;
  if (!config[name].is_number_integer()) fields.refuse("a slice must have whole numbers");
  return config[name].get<int64_t>();
}

// Python's rules of slices.
void add_slice(Picture& picture, const Json& slice, int64_t dim, const Fields& fields) {
  const int64_t step = part(slice, "step", fields).value_or(1);
  if (step == 0) fields.refuse("a slice's step must not be 0");
  const int64_t least = step > 0 ? 0 : -1, most = step > 0 ? dim : dim - 1;
  const auto bound = [&](const char* name, int64_t fallback) {
    const std::optional<int64_t> given = part(slice, name, fields);
    if (!given) return fallback;
    return std::clamp(*given < 0 ? *given + dim : *given, least, most);
  };
  const int64_t first = bound("start", step > 0 ? 0 : dim - 1);
  const int64_t end = bound("stop", step > 0 ? dim : -1);
  const int64_t count =
      step > 0 ? (end - first + step - 1) / step : (first - end - step - 1) / -step;
  picture.begin.push_back(std::max<int64_t>(0, first));
  picture.size.push_back(std::max<int64_t>(0, count));
  picture.step.push_back(step);
  picture.dropped.push_back(false);
}

void add_index(Picture& picture, int64_t index, int64_t dim, const Fields& fields) {
  if (index < -dim || index >= dim)
    fields.refuse(fmt::format("index {} is outside an axis of {}", index, dim));
  picture.begin.push_back(index < 0 ? index + dim : index);
  picture.size.push_back(1);
  picture.step.push_back(1);
  picture.dropped.push_back(true);
}

Picture picture_of(const std::vector<const Json*>& keys, const Shape& shape, const Fields& fields) {
  Picture picture;
  int kept = 0;
  const auto taken = std::ranges::count_if(keys, [](const Json* k) { return takes_an_axis(*k); });
  const auto next_dim = [&] {
    const auto axis = static_cast<int>(picture.begin.size());
    if (axis >= shape.rank())
      fields.refuse("has more indices than the axes of " + shape.to_string());
    return shape[axis];
  };
  for (const Json* key : keys) {
    if (key->is_null()) {
      picture.kept_before.push_back(kept++);
    } else if (is_object_of(*key, "__ellipsis__")) {
      for (auto left = shape.rank() - taken; left > 0; --left, ++kept) keep_axis(picture);
    } else if (is_object_of(*key, "__slice__")) {
      add_slice(picture, *key, next_dim(), fields);
      ++kept;
    } else if (key->is_number_integer()) {
      add_index(picture, key->get<int64_t>(), next_dim(), fields);
    } else {
      fields.refuse("an index must be a number, a slice, an ellipsis or None, found " +
                    key->dump().substr(0, 60));
    }
  }
  while (static_cast<int>(picture.begin.size()) < shape.rank()) keep_axis(picture);
  return picture;
}

bool is_whole(const Picture& picture, const Shape& shape) {
  for (int i = 0; i < shape.rank(); ++i) {
    const auto k = static_cast<size_t>(i);
    if (picture.size[k] != -1 && (picture.size[k] != shape[i] || picture.step[k] != 1))
      return false;
  }
  return true;
}

Tensor picked(const Tensor& x, const Picture& picture) {
  const bool plain = std::ranges::all_of(picture.step, [](int64_t step) { return step == 1; });
  Tensor y = x;
  if (plain && !is_whole(picture, x.shape()))
    y = slice(x, picture.begin, picture.size);
  else if (!plain)
    y = strided_slice(x, picture.begin, picture.size, picture.step);
  Shape shape;
  for (int i = 0; i < y.rank(); ++i)
    if (!picture.dropped[static_cast<size_t>(i)]) shape.push_back(y.shape()[i]);
  for (const int axis : picture.kept_before) shape = shape.with(axis, 1);
  return shape == y.shape() ? y : reshape(y, shape);
}

// The positions at which the parts of a split end.
std::vector<int64_t> ends_of(OperationCall& call, int64_t dim) {
  const Json* found = call.settings().find("indices_or_sections");
  std::vector<int64_t> ends;
  if (found != nullptr && found->is_array()) {
    call.settings().with("indices_or_sections", ends);
    for (int64_t& end : ends) end = std::clamp<int64_t>(end < 0 ? end + dim : end, 0, dim);
    ends.push_back(dim);
    return ends;
  }
  int64_t sections = 0;
  call.settings().with("indices_or_sections", sections);
  if (sections < 1 || dim % sections != 0)
    call.settings().refuse(
        fmt::format("cannot split an axis of {} into {} equal parts", dim, sections));
  for (int64_t i = 1; i <= sections; ++i) ends.push_back(i * (dim / sections));
  return ends;
}

}  // namespace

Tensors run_get_item(OperationCall& call) {
  const Tensor x = call.tensor(0);
  std::vector<const Json*> keys;
  if (call.argument(1).is_array())
    for (const Json& key : call.argument(1)) keys.push_back(&key);
  else
    keys.push_back(&call.argument(1));
  return {picked(x, picture_of(keys, x.shape(), call.settings()))};
}

Tensors run_slice(OperationCall& call) {
  std::vector<int64_t> sizes, begin;
  call.settings().with("shape", sizes);
  if (!call.argument(1).is_array()) call.settings().refuse("start_indices must be numbers");
  for (const Json& start : call.argument(1)) {
    if (!start.is_number_integer()) call.settings().refuse("start_indices must be whole numbers");
    begin.push_back(start.get<int64_t>());
  }
  return {slice(call.tensor(0), std::move(begin), std::move(sizes))};
}

Tensors run_split(OperationCall& call) {
  int axis = 0;
  call.settings().with("axis", axis);
  const Tensor x = call.tensor(0);
  axis = normalize_axis(axis, x.rank(), "split");
  Tensors parts;
  int64_t begin = 0;
  for (const int64_t end : ends_of(call, x.shape()[axis])) {
    parts.push_back(part_of(x, axis, begin, std::max<int64_t>(0, end - begin)));
    begin = std::max(begin, end);
  }
  return parts;
}

Tensors run_unstack(OperationCall& call) {
  std::optional<int64_t> count;
  int axis = 0;
  call.settings().with("num", count).with("axis", axis);
  const Tensor x = call.tensor(0);
  axis = normalize_axis(axis, x.rank(), "unstack");
  Tensors parts;
  for (int64_t i = 0; i < x.shape()[axis]; ++i)
    parts.push_back(squeeze(part_of(x, axis, i, 1), axis));
  return parts;
}

Tensors run_take(OperationCall& call) {
  std::optional<int64_t> axis;
  call.settings().with("axis", axis);
  const Tensor x = axis ? call.tensor(0) : reshape(call.tensor(0), {-1});
  const Tensor indices = call.tensor(1);
  const bool ready = indices.dtype() == DType::int32 || indices.dtype() == DType::int64;
  return {
      take(x, ready ? indices : cast(indices, DType::int32), static_cast<int>(axis.value_or(0)))};
}

}  // namespace plimsoll
