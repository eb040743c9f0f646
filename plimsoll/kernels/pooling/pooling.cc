#include "plimsoll/kernels/pooling/pooling.h"

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/pooling/pooling_plan.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainFloats = 1 << 14;  // of the larger tensor

// Calls rows(arguments, begin, end) for shares of the output rows.
template <class Rows>
class Pooling final : public Kernel {
 public:
  // With `whole_planes` no plane is split.
  Pooling(const PoolingPlan& plan, bool whole_planes, const Rows& rows)
      : plan_(plan), rows_(rows), unit_(whole_planes ? plan.rows.output : 1) {
    const int64_t unit_floats =
        whole_planes ? plan.input_plane() : plan.rows.stride * plan.input_row();
    grain_ = kGrainFloats / std::max<int64_t>(unit_floats, 1) + 1;
  }

  void run(const KernelArguments& arguments) const override {
    if (plan_.lanes == 0) return;
    parallel_for(plan_.planes * plan_.rows.output / unit_, grain_, [&](int64_t begin, int64_t end) {
      rows_(plan_, arguments, begin * unit_, end * unit_);
    });
  }

 private:
  PoolingPlan plan_;
  Rows rows_;
  int64_t unit_;   // output rows that stay together
  int64_t grain_;  // units
};

template <class Rows>
KernelPtr make(const PoolingPlan& plan, bool whole_planes, const Rows& rows) {
  return std::make_unique<Pooling<Rows>>(plan, whole_planes, rows);
}

}  // namespace

KernelPtr make_max_pool(const KernelRequest& request, const PoolingProblem& problem, bool index) {
  const PoolingPlan plan(problem, request.inputs[0].shape, request.input_layouts[0]);
  return make(plan, false,
              [index](const PoolingPlan& p, const KernelArguments& a, int64_t begin, int64_t end) {
                max_pool_rows(p, a.input(0), a.output(0), index ? a.output<uint8_t>(1) : nullptr,
                              begin, end);
              });
}

KernelPtr make_max_pool_gradient(const KernelRequest& request, const PoolingProblem& problem) {
  const PoolingPlan plan(problem, request.outputs[0].shape, request.output_layouts[0]);
  return make(plan, !plan.disjoint(),
              [](const PoolingPlan& p, const KernelArguments& a, int64_t begin, int64_t end) {
                max_pool_gradient_rows(p, a.input<uint8_t>(0), a.input(1), a.output(0), begin, end);
              });
}

KernelPtr make_average_pool(const KernelRequest& request, const PoolingProblem& problem) {
  const PoolingPlan plan(problem, request.inputs[0].shape, request.input_layouts[0]);
  return make(plan, false,
              [](const PoolingPlan& p, const KernelArguments& a, int64_t begin, int64_t end) {
                average_pool_rows(p, a.input(0), a.output(0), begin, end);
              });
}

KernelPtr make_average_pool_gradient(const KernelRequest& request, const PoolingProblem& problem) {
  const PoolingPlan plan(problem, request.outputs[0].shape, request.output_layouts[0]);
  return make(plan, !plan.disjoint(),
              [](const PoolingPlan& p, const KernelArguments& a, int64_t begin, int64_t end) {
                average_pool_gradient_rows(p, a.input(0), a.output(0), begin, end);
              });
}

}  // namespace plimsoll::kernels
