#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/ops/text/text_op.h"

namespace plimsoll {
namespace {

// A number that is not one is above every boundary, as in TensorFlow.
int64_t bucket_of(float number, std::span<const float> boundaries) {
  return std::upper_bound(boundaries.begin(), boundaries.end(), number) - boundaries.begin();
}

class BucketizeKernel final : public Kernel {
 public:
  BucketizeKernel(int64_t elements, std::vector<float> boundaries)
      : elements_(elements), boundaries_(std::move(boundaries)) {}

  void run(const KernelArguments& arguments) const override {
    const float* x = arguments.input(0);
    auto* y = arguments.output<int32_t>(0);
    parallel_for(elements_, 4096, [=, this](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        y[i] = static_cast<int32_t>(bucket_of(x[i], boundaries_));
    });
  }

 private:
  int64_t elements_;
  std::vector<float> boundaries_;
};

class Bucketize final : public TextOp {
 public:
  explicit Bucketize(std::vector<double> boundaries) : boundaries_(std::move(boundaries)) {}

  std::string_view name() const override { return "bucketize"; }
  void describe(Attributes& to) const override {
    const auto& [boundaries] = *this;
    to.with("boundaries", boundaries);
  }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0].dtype != DType::float32)
      throw InvalidArgument("expected float32, found " + in[0].to_string());
    if (!std::ranges::is_sorted(boundaries_))
      throw InvalidArgument("the boundaries must be sorted");
    return {{DType::int32, in[0].shape}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<BucketizeKernel>(request.outputs[0].shape.elements(), boundaries());
  }
  Arrays reference(std::span<const Array> in) const override {
    Array out({DType::int32, in[0].spec.shape});
    const std::vector<float> all = boundaries();
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i)
      out[i] = static_cast<double>(std::ranges::count_if(
          all, [&](float boundary) { return !(in[0][i] < static_cast<double>(boundary)); }));
    return {out};
  }

 private:
  std::vector<float> boundaries() const { return {boundaries_.begin(), boundaries_.end()}; }

  std::vector<double> boundaries_;
};

}  // namespace

Tensor bucketize(const Operand& x, const std::vector<double>& boundaries) {
  return apply(std::make_shared<Bucketize>(boundaries), {x.tensor}, x.where);
}

}  // namespace plimsoll
