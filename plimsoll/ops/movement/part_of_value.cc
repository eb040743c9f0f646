#include "plimsoll/ops/movement/part_of_value.h"

#include <cstring>
#include <memory>
#include <vector>

namespace plimsoll {
namespace {

constexpr int64_t kFewBytes = int64_t{1} << 20;

// True if the chosen elements follow each other: up to the last axis that is cut there is one
// position on each, and that axis goes on in steps of 1.
bool is_one_run(const Shape& in, const Shape& out, std::span<const int64_t> step) {
  int cut = -1;
  for (int i = 0; i < in.rank(); ++i)
    if (out[i] != in[i] || (step[static_cast<size_t>(i)] != 1 && out[i] > 1)) cut = i;
  for (int i = 0; i < cut; ++i)
    if (out[i] != 1) return false;
  return cut < 0 || out[cut] == 1 || step[static_cast<size_t>(cut)] == 1;
}

// Copies the elements of the axes from `axis` on, and moves `to` past them. `jumps`: the bytes from
// one chosen element of an axis to the next.
void copy_axes(const std::byte* from, std::byte*& to, const Shape& out, int axis,
               std::span<const int64_t> jumps, int64_t element) {
  if (axis == out.rank()) {
    std::memcpy(to, from, static_cast<size_t>(element));
    to += element;
    return;
  }
  for (int64_t i = 0; i < out[axis]; ++i)
    copy_axes(from + i * jumps[static_cast<size_t>(axis)], to, out, axis + 1, jumps, element);
}

}  // namespace

StoragePtr part_of_value(const StoragePtr& value, const Spec& in, const Spec& out,
                         std::span<const int64_t> begin, std::span<const int64_t> step) {
  if (out.bytes() == 0) return std::make_shared<Storage>(0);
  const int64_t element = size_of(in.dtype);
  int64_t offset = 0;
  std::vector<int64_t> jumps;
  for (int i = 0; i < in.shape.rank(); ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t stride = in.shape.elements(i + 1, in.shape.rank()) * element;
    offset += begin[k] * stride;
    jumps.push_back(step[k] * stride);
  }
  if (is_one_run(in.shape, out.shape, step)) return part_of(value, offset, out.bytes());
  if (out.bytes() > kFewBytes) return nullptr;
  auto copy = std::make_shared<Storage>(out.bytes());
  std::byte* to = copy->data();
  copy_axes(value->data() + offset, to, out.shape, 0, jumps, element);
  return copy;
}

}  // namespace plimsoll
