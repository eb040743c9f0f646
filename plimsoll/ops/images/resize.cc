#include "plimsoll/ops/images/resize.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/images/resize_axis.h"

namespace plimsoll {
namespace {

using kernels::ResizeAxis;

// Images (N, rows, columns, C) as matrices of each axis: y = rows * x * columns^T.
Array resized(const Array& x, const ResizeAxis& rows, const ResizeAxis& columns) {
  const Shape& in = x.spec.shape;
  Array y({DType::float32, {in[0], rows.outputs(), columns.outputs(), in[3]}});
  const auto weights = [](const ResizeAxis& axis, int64_t output, auto&& body) {
    for (int64_t k = axis.starts[static_cast<size_t>(output)];
         k < axis.starts[static_cast<size_t>(output) + 1]; ++k)
      body(axis.sources[static_cast<size_t>(k)],
           static_cast<double>(axis.weights[static_cast<size_t>(k)]));
  };
  for (int64_t i = 0; i < y.spec.shape.elements(); ++i) {
    const int64_t c = i % in[3], w = i / in[3] % columns.outputs();
    const int64_t h = i / in[3] / columns.outputs() % rows.outputs();
    const int64_t n = i / in[3] / columns.outputs() / rows.outputs();
    weights(rows, h, [&](int64_t row, double share) {
      weights(columns, w, [&](int64_t column, double part) {
        y[i] += share * part * x[((n * in[1] + row) * in[2] + column) * in[3] + c];
      });
    });
  }
  return y;
}

// Resizes images, or computes the gradient of that, which does the inverse.
class Resize final : public Op {
 public:
  struct Form {
    std::array<int64_t, 2> size;  // of the output, or of the gradient's
    Interpolation interpolation;
    bool antialias, gradient;
  };
  explicit Resize(const Form& form) : form_(form) {}

  std::string_view name() const override { return form_.gradient ? "resize_gradient" : "resize"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.are_rows(); }
  void describe(Attributes& to) const override {
    const auto& [form] = *this;
    const auto& [size, interpolation, antialias, is_gradient] = form;  // the name says the last
    to.with("size", size).with("interpolation", interpolation);
    to.with("antialias", antialias, false);
  }
  Specs infer(std::span<const Spec> in) const override {
    const Shape& shape = in[0].shape;
    if (in[0].dtype != DType::float32 || shape.rank() != 4 || shape[1] < 1 || shape[2] < 1)
      throw InvalidArgument("expected float32 images (batch, height, width, channels), found " +
                            in[0].to_string());
    if (form_.size[0] < 1 || form_.size[1] < 1)
      throw InvalidArgument(
          fmt::format("size must be at least 1, found {} x {}", form_.size[0], form_.size[1]));
    return {{DType::float32, {shape[0], form_.size[0], form_.size[1], shape[3]}}};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0]}, {offered[0]}};
  }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Shape& x = node.input(0).shape();
    const Form turned{{x[1], x[2]}, form_.interpolation, form_.antialias, !form_.gradient};
    return {apply(std::make_shared<Resize>(turned), {dy[0]}, node.where)};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    const Shape& x = request.inputs[0].shape;
    return kernels::make_resize(request, axis(x[1], form_.size[0]), axis(x[2], form_.size[1]));
  }
  Arrays reference(std::span<const Array> in) const override {
    const Shape& x = in[0].spec.shape;
    return {resized(in[0], axis(x[1], form_.size[0]), axis(x[2], form_.size[1]))};
  }

 private:
  ResizeAxis axis(int64_t from, int64_t to) const {
    return form_.gradient ? resize_axis(to, from, form_.interpolation, form_.antialias).transposed()
                          : resize_axis(from, to, form_.interpolation, form_.antialias);
  }

  Form form_;
};

}  // namespace

Tensor resize(const Operand& x, std::array<int64_t, 2> size, Interpolation interpolation,
              bool antialias) {
  return apply(std::make_shared<Resize>(Resize::Form{size, interpolation, antialias, false}),
               {x.tensor}, x.where);
}

}  // namespace plimsoll
