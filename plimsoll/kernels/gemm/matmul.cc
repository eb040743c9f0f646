#include "plimsoll/kernels/gemm/matmul.h"

#include <vector>

#include "plimsoll/kernels/gemm/gemm.h"

namespace plimsoll::kernels {
namespace {

Epilogue epilogue_of(const MatmulForm& form) {
  if (form.bias) return form.relu ? Epilogue::bias_relu : Epilogue::bias;
  return form.relu ? Epilogue::relu : Epilogue::none;
}

// One leading axis of the output: how many products, and how far apart in matrices their operands.
struct BatchAxis {
  int64_t size = 1, step_a = 0, step_b = 0;
};

// How many matrices apart neighbours on the output's leading axis `axis` are in `shape`: 0 where
// the operand is broadcast.
int64_t matrix_step(const Shape& shape, const Shape& out, int axis) {
  const int own = axis - (out.rank() - shape.rank());
  if (own < 0 || shape[own] == 1) return 0;
  return shape.elements(own + 1, shape.rank() - 2);
}

// The leading axes, outermost first, neighbours merged where one pair of steps serves both.
std::vector<BatchAxis> batch_axes(const Shape& a, const Shape& b, const Shape& out) {
  std::vector<BatchAxis> axes;
  for (int i = 0; i < out.rank() - 2; ++i) {
    if (out[i] == 1) continue;
    const BatchAxis axis{out[i], matrix_step(a, out, i), matrix_step(b, out, i)};
    if (!axes.empty() && axes.back().step_a == axis.size * axis.step_a &&
        axes.back().step_b == axis.size * axis.step_b)
      axes.back() = {axes.back().size * axis.size, axis.step_a, axis.step_b};
    else
      axes.push_back(axis);
  }
  if (axes.empty()) axes.emplace_back();
  return axes;
}

// The innermost batch axis is Gemm's own; loops run over those outside it.
class Matmul final : public Kernel {
 public:
  Matmul(const KernelRequest& request, const MatmulForm& form)
      : axes_(
            batch_axes(request.inputs[0].shape, request.inputs[1].shape, request.outputs[0].shape)),
        gemm_(problem(request, form, axes_.back())),
        has_bias_(form.bias) {
    const Shape& a = request.inputs[0].shape;
    const Shape& b = request.inputs[1].shape;
    const Shape& c = request.outputs[0].shape;
    const int64_t a_floats = a.elements(a.rank() - 2, a.rank());
    const int64_t b_floats = b.elements(b.rank() - 2, b.rank());
    const int64_t c_floats = c.elements(c.rank() - 2, c.rank()) * axes_.back().size;
    offsets_ = {{0, 0, 0}};
    for (size_t axis = 0; axis + 1 < axes_.size(); ++axis) {
      std::vector<Offsets> finer;
      for (const Offsets& at : offsets_)
        for (int64_t i = 0; i < axes_[axis].size; ++i)
          finer.push_back({at.a + i * axes_[axis].step_a * a_floats,
                           at.b + i * axes_[axis].step_b * b_floats, 0});
      offsets_ = std::move(finer);
    }
    for (size_t i = 0; i < offsets_.size(); ++i) offsets_[i].c = static_cast<int64_t>(i) * c_floats;
  }

  int64_t scratch_bytes() const override { return gemm_.scratch_bytes(); }

  void run(const KernelArguments& arguments) const override {
    const float* bias = has_bias_ ? arguments.input(2) : nullptr;
    for (const Offsets& at : offsets_)
      gemm_.run(arguments.input(0) + at.a, arguments.input(1) + at.b, arguments.output(0) + at.c,
                bias, arguments.scratch);
  }

 private:
  struct Offsets {
    int64_t a, b, c;
  };

  static GemmProblem problem(const KernelRequest& request, const MatmulForm& form,
                             const BatchAxis& batch) {
    const Shape& a = request.inputs[0].shape;
    const Shape& c = request.outputs[0].shape;
    const int64_t m = c[c.rank() - 2], n = c.back();
    const int64_t k = a[a.rank() - (form.transpose_a ? 2 : 1)];
    GemmProblem problem{.m = m,
                        .n = n,
                        .k = k,
                        .transpose_a = form.transpose_a,
                        .transpose_b = form.transpose_b,
                        .epilogue = epilogue_of(form)};
    if (!form.transpose_a && batch.step_a == 1 && batch.step_b == 0) {
      problem.m = m * batch.size;  // every product has the same b: they are rows of one
    } else {
      problem.batch = batch.size;
      problem.stride_a = batch.step_a * m * k;
      problem.stride_b = batch.step_b * k * n;
      problem.stride_c = m * n;
    }
    return problem;
  }

  std::vector<BatchAxis> axes_;
  Gemm gemm_;
  bool has_bias_;
  std::vector<Offsets> offsets_;  // of each run of gemm_, in floats
};

}  // namespace

KernelPtr make_matmul(const KernelRequest& request, const MatmulForm& form) {
  return std::make_unique<Matmul>(request, form);
}

}  // namespace plimsoll::kernels
