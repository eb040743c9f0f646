#include "plimsoll/kernels/convolution/depthwise.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution/depthwise_loops.h"
#include "plimsoll/kernels/convolution/depthwise_plan.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kForkProducts = 1 << 17;  // below, one thread is as fast
constexpr int64_t kBandFloats = 16 << 10;   // of output, that the caches hold beside its input

bool is_worth_a_fork(const DepthwisePlan& plan) {
  const int64_t windows = std::min(plan.input.plane(), plan.output.plane());
  return plan.planes * windows * plan.window > kForkProducts;
}

// Calls body(unit) for all units; the result of a unit does not depend on the thread that computes
// it.
template <class Body>
void share(int64_t units, bool fork, const Body& body) {
  parallel_for(units, fork ? 1 : units, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) body(unit);
  });
}

// Windows whose first output is at `output` of a plane.
struct Part {
  DepthwiseWindows windows;
  int64_t output = 0;
};

// How many outputs of the run come before `position`.
int64_t count_before(const OutputRun& run, int64_t position) {
  if (position <= run.first) return 0;
  return std::min((position - run.first + run.step - 1) / run.step, run.count);
}

// The part of the rectangle in output rows [begin, end). The inner loop goes along the longer side
// where the other is too short for it.
Part part_of(const DepthwiseRectangle& r, const ChannelPlanes& output, int64_t begin, int64_t end) {
  constexpr int64_t kShort = 4;
  const int64_t first = count_before(r.rows, begin), last = count_before(r.rows, end);
  Part part{.windows = {.place = r.x + first * r.row_step,
                        .taps = &r.taps,
                        .lanes = output.lanes,
                        .outer = {last - first, r.row_step, r.rows.step * output.row()},
                        .inner = {r.columns.count, r.column_step, r.columns.step * output.lanes}},
            .output = (r.rows.first + first * r.rows.step) * output.row() +
                      r.columns.first * output.lanes};
  DepthwiseWindows& windows = part.windows;
  if (windows.inner.count < kShort && windows.outer.count > windows.inner.count)
    std::swap(windows.outer, windows.inner);
  return part;
}

// The parts of a plane in bands of rows; those of a band lie near each other.
using Band = std::vector<Part>;
std::vector<Band> bands_of(const DepthwisePlan& plan, int64_t band_rows) {
  std::vector<Band> bands;
  for (int64_t first = 0; first < plan.output.rows; first += band_rows) {
    Band& band = bands.emplace_back();
    for (const DepthwiseRectangle& rectangle : plan.rectangles) {
      const Part part =
          part_of(rectangle, plan.output, first, std::min(first + band_rows, plan.output.rows));
      if (part.windows.outer.count > 0 && part.windows.inner.count > 0) band.push_back(part);
    }
  }
  return bands;
}

int64_t band_rows(const DepthwisePlan& plan) {
  return std::clamp<int64_t>(kBandFloats / plan.output.row(), 1, plan.output.rows);
}

// y from x, or dx from dy: sums over taps.
class DepthwiseSums final : public Kernel {
 public:
  // The numbers of the inputs.
  struct Inputs {
    int x = 0, weights = 1, bias = -1;
  };
  DepthwiseSums(DepthwisePlan plan, const Inputs& inputs, bool relu)
      : plan_(std::move(plan)),
        bands_(bands_of(plan_, band_rows(plan_))),
        inputs_(inputs),
        relu_(relu),
        fork_(is_worth_a_fork(plan_)) {}

  void run(const KernelArguments& arguments) const override {
    const auto bands = static_cast<int64_t>(bands_.size());
    share(plan_.planes * bands, fork_, [&](int64_t unit) {
      const int64_t plane = unit / bands, channel = plane % plan_.input.blocks * plan_.input.lanes;
      const float* x = arguments.input(inputs_.x) + plane * plan_.input.plane();
      const float* weights = arguments.input(inputs_.weights) + channel;
      const float* bias = inputs_.bias < 0 ? nullptr : arguments.input(inputs_.bias) + channel;
      float* y = arguments.output(0) + plane * plan_.output.plane();
      for (const Part& part : bands_[static_cast<size_t>(unit % bands)])
        depthwise_sums(part.windows, x, weights, bias, relu_, y + part.output);
    });
  }

 private:
  DepthwisePlan plan_;
  std::vector<Band> bands_;  // with pointers into the plan's rectangles
  Inputs inputs_;
  bool relu_, fork_;
};

bool is_plain(const ConvolutionLayouts& layouts) {
  return layouts.x.is_plain() && layouts.y.is_plain();
}

}  // namespace

bool suits_depthwise(const ConvolutionProblem& problem, const ConvolutionLayouts& layouts) {
  return is_depthwise(problem) && is_plain(layouts);
}

bool suits_depthwise_input_gradient(const ConvolutionProblem& problem,
                                    const ConvolutionLayouts& layouts) {
  constexpr int64_t kSmallColumns = 16;
  const bool suits = problem.columns.stride == 1 || problem.columns.output <= kSmallColumns;
  return is_depthwise(problem) && layouts.x == layouts.y && (suits || is_plain(layouts));
}

bool suits_depthwise_kernel_gradient(const ConvolutionProblem& problem,
                                     const ConvolutionLayouts& layouts) {
  const bool suits = problem.rows.size != 3 || problem.columns.size != 3;
  return is_depthwise(problem) && layouts.x == layouts.y && (suits || is_plain(layouts));
}

KernelPtr make_depthwise(const KernelRequest& request, const ConvolutionProblem& problem, bool bias,
                         bool relu) {
  return std::make_unique<DepthwiseSums>(DepthwisePlan::forward(problem, request.input_layouts[0]),
                                         DepthwiseSums::Inputs{0, 1, bias ? 2 : -1}, relu);
}

KernelPtr make_depthwise_input_gradient(const KernelRequest& request,
                                        const ConvolutionProblem& problem) {
  return std::make_unique<DepthwiseSums>(
      DepthwisePlan::input_gradient(problem, request.input_layouts[1]),
      DepthwiseSums::Inputs{1, 0, -1}, false);
}

}  // namespace plimsoll::kernels
