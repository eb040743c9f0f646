#include "plimsoll/kernels/movement/movement.h"

#include <array>
#include <vector>

#include "plimsoll/kernels/movement/movement_strided.h"
#include "plimsoll/kernels/movement/stored_shape.h"

namespace plimsoll::kernels {
namespace {

using Strides = std::array<int64_t, Shape::kMaxRank>;

Strides row_major(const Shape& shape) {
  Strides strides{};
  int64_t step = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    strides[static_cast<size_t>(i)] = step;
    step *= shape[i];
  }
  return strides;
}

// One strided copy from each input, whose first elements need not be the tensors' own.
class Move final : public Kernel {
 public:
  struct Part {
    StridedCopy copy;
    int64_t from_byte = 0, to_byte = 0;
  };

  explicit Move(std::vector<Part> parts) : parts_(std::move(parts)) {}

  void run(const KernelArguments& arguments) const override {
    for (size_t i = 0; i < parts_.size(); ++i)
      parts_[i].copy.run(arguments.inputs[i] + parts_[i].from_byte,
                         arguments.outputs[0] + parts_[i].to_byte);
  }

 private:
  std::vector<Part> parts_;
};

}  // namespace

KernelPtr make_transpose(const KernelRequest& request, std::span<const int> permutation) {
  const Shape& out = request.outputs[0].shape;
  const Strides from = row_major(request.inputs[0].shape), to = row_major(out);
  std::vector<StridedAxis> axes;
  for (int i = 0; i < out.rank(); ++i) {
    const auto axis = static_cast<size_t>(i);
    axes.push_back({out[i], from[static_cast<size_t>(permutation[axis])], to[axis]});
  }
  return std::make_unique<Move>(
      std::vector<Move::Part>{{StridedCopy(axes, size_of(request.outputs[0].dtype))}});
}

KernelPtr make_broadcast_to(const KernelRequest& request) {
  const Shape& in = request.inputs[0].shape;
  const Shape& out = request.outputs[0].shape;
  const Strides from = row_major(in), to = row_major(out);
  std::vector<StridedAxis> axes;
  for (int i = 0; i < out.rank(); ++i) {
    const int own = i - (out.rank() - in.rank());
    const bool repeats = own < 0 || in[own] == 1;
    axes.push_back(
        {out[i], repeats ? 0 : from[static_cast<size_t>(own)], to[static_cast<size_t>(i)]});
  }
  return std::make_unique<Move>(
      std::vector<Move::Part>{{StridedCopy(axes, size_of(request.outputs[0].dtype))}});
}

KernelPtr make_concatenate(const KernelRequest& request, int logical_axis) {
  const Layout layout = request.output_layouts[0];
  const Shape out = stored_shape(request.outputs[0].shape, layout);
  const int axis = stored_axis(logical_axis, request.outputs[0].shape, layout);
  const int64_t element_bytes = size_of(request.outputs[0].dtype);
  const int64_t outer = out.elements(0, axis), inner = out.elements(axis + 1, out.rank());
  std::vector<Move::Part> parts;
  int64_t before = 0;
  for (const Spec& spec : request.inputs) {
    const int64_t row = stored_shape(spec.shape, layout)[axis] * inner;
    parts.push_back({StridedCopy({{outer, row, out[axis] * inner}, {row, 1, 1}}, element_bytes), 0,
                     before * element_bytes});
    before += row;
  }
  return std::make_unique<Move>(std::move(parts));
}

KernelPtr make_slice(const KernelRequest& request, std::span<const int64_t> logical_begin) {
  const Layout layout = request.input_layouts[0];
  const Shape out = stored_shape(request.outputs[0].shape, layout);
  const Strides from = row_major(stored_shape(request.inputs[0].shape, layout));
  const Strides to = row_major(out);
  const auto begin =
      stored_numbers(std::vector<int64_t>(logical_begin.begin(), logical_begin.end()), layout, 0,
                     [](int64_t first, int64_t block) { return first / block; });
  const int64_t element_bytes = size_of(request.outputs[0].dtype);
  std::vector<StridedAxis> axes;
  int64_t first = 0;
  for (int i = 0; i < out.rank(); ++i) {
    const auto axis = static_cast<size_t>(i);
    axes.push_back({out[i], from[axis], to[axis]});
    first += begin[axis] * from[axis];
  }
  return std::make_unique<Move>(
      std::vector<Move::Part>{{StridedCopy(axes, element_bytes), first * element_bytes}});
}

}  // namespace plimsoll::kernels
