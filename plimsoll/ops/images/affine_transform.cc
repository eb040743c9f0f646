#include "plimsoll/ops/images/affine_transform.h"

#include <fmt/format.h>

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"

namespace plimsoll {
namespace {

Tensor gradient_of_images(const Tensor& dy, const Tensor& transforms,
                          std::array<int64_t, 2> image_size, const AffineOptions& options,
                          Place where);

// The sampling and its gradient. The sampling makes images of `size` from images of the input's
// size; the gradient does the inverse.
class AffineTransform final : public Op {
 public:
  AffineTransform(const AffineOptions& options, bool gradient)
      : options_(options), gradient_(gradient) {}

  std::string_view name() const override {
    return gradient_ ? "affine_transform_gradient" : "affine_transform";
  }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.are_rows(); }
  void describe(Attributes& to) const override {
    const auto& [options, is_gradient] = *this;  // the name says the second
    const auto& [size, interpolation, fill_mode, fill_value] = options;
    to.with("size", size).with("interpolation", interpolation).with("fill_mode", fill_mode);
    to.with("fill_value", fill_value, 0);
  }
  Specs infer(std::span<const Spec> in) const override {
    const Shape &images = in[0].shape, &transforms = in[1].shape;
    if (in[0].dtype != DType::float32 || images.rank() != 4)
      throw InvalidArgument("expected float32 images (batch, height, width, channels), found " +
                            in[0].to_string());
    if (in[1].dtype != DType::float32 || transforms.rank() != 2 || transforms[1] != 8 ||
        (transforms[0] != 1 && transforms[0] != images[0]))
      throw InvalidArgument(fmt::format("transforms must be float32 (1, 8) or ({}, 8), found {}",
                                        images[0], in[1].to_string()));
    if (options_.interpolation != Interpolation::bilinear &&
        options_.interpolation != Interpolation::nearest)
      throw InvalidArgument("interpolation must be nearest or bilinear");
    return {{DType::float32, {images[0], rows(images), columns(images), images[3]}}};
  }

  Tensors gradient(const Node& node, const Tensors& gradients) const override {
    const Tensor transforms = node.input(1);
    const Shape& images = node.input(0).shape();
    AffineOptions turned = options_;
    turned.size = {images[1], images[2]};
    turned.fill_value = 0;
    if (gradient_) return {affine_transform(gradients[0], transforms, turned), Tensor()};
    return {gradient_of_images(gradients[0], transforms, turned.size, options_, node.where),
            Tensor()};
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    const auto problem = problem_of(request.inputs[0].shape);
    return gradient_ ? kernels::make_affine_transform_gradient(request, problem)
                     : kernels::make_affine_transform(request, problem);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Shape& from = in[0].spec.shape;
    const auto p = problem_of(from);
    Array y({DType::float32, {from[0], rows(from), columns(from), from[3]}});
    const int64_t input = p.input[0] * p.input[1], output = p.output[0] * p.output[1];
    for (int64_t i = 0; i < from[0] * output; ++i) {
      float t[8];
      for (int64_t k = 0; k < 8; ++k)
        t[k] = static_cast<float>(in[1][(in[1].spec.shape[0] == 1 ? 0 : i / output) * 8 + k]);
      const int64_t place = i % output;
      const auto sample = kernels::affine_sample(p, t, place / p.output[1], place % p.output[1]);
      for (int part = 0; part < sample.count; ++part)
        for (int64_t c = 0; c < from[3]; ++c) {
          const auto [pixel, weight] = sample.parts[static_cast<size_t>(part)];
          const int64_t there = (i / output * input + pixel) * from[3] + c, here = i * from[3] + c;
          if (!gradient_)
            y[here] += weight * (pixel < 0 ? options_.fill_value : in[0][there]);
          else if (pixel >= 0)
            y[there] += weight * in[0][here];
        }
    }
    return {y};
  }

 private:
  int64_t rows(const Shape& x) const { return options_.size[0] > 0 ? options_.size[0] : x[1]; }
  int64_t columns(const Shape& x) const { return options_.size[1] > 0 ? options_.size[1] : x[2]; }

  kernels::AffineProblem problem_of(const Shape& x) const {
    const std::array<int64_t, 2> given = {x[1], x[2]}, made = {rows(x), columns(x)};
    return {.input = gradient_ ? made : given,
            .output = gradient_ ? given : made,
            .bilinear = options_.interpolation == Interpolation::bilinear,
            .fill_mode = options_.fill_mode,
            .fill_value = static_cast<float>(options_.fill_value)};
  }

  AffineOptions options_;
  bool gradient_;
};

Tensor gradient_of_images(const Tensor& dy, const Tensor& transforms,
                          std::array<int64_t, 2> image_size, const AffineOptions& options,
                          Place where) {
  AffineOptions turned = options;
  turned.size = image_size;
  return apply(std::make_shared<AffineTransform>(turned, true), {dy, transforms}, where);
}

}  // namespace

FillMode fill_mode_of(std::string_view name) {
  std::vector<std::string> known;
  for (const FillMode mode :
       {FillMode::constant, FillMode::reflect, FillMode::wrap, FillMode::nearest}) {
    if (name == kernels::name_of(mode)) return mode;
    known.emplace_back(kernels::name_of(mode));
  }
  throw InvalidArgument(not_known("fill_mode:", name, known));
}

Tensor affine_transform(const Operand& images, const Operand& transforms,
                        const AffineOptions& options) {
  return apply(std::make_shared<AffineTransform>(options, false),
               {images.tensor, transforms.tensor}, images.where);
}

}  // namespace plimsoll
