#include "plimsoll/kernels/convolution/depthwise_plan.h"

namespace plimsoll::kernels {
namespace {

// A tap of a window along an axis: it reads `shift` positions after the window's place.
struct AxisTap {
  int64_t number = 0, shift = 0;
};

struct AxisRun {
  OutputRun outputs;
  int64_t input = 0, input_step = 1;  // the place of the first window, and to the next
  std::vector<AxisTap> taps;
};

// Splits the run where the set of taps inside the input changes.
void add_runs(const AxisRun& all, int64_t input_size, std::vector<AxisRun>& runs) {
  std::vector<AxisTap> before;
  for (int64_t i = 0; i < all.outputs.count; ++i) {
    const int64_t at = all.input + i * all.input_step;
    std::vector<AxisTap> inside;
    for (const AxisTap& tap : all.taps)
      if (at + tap.shift >= 0 && at + tap.shift < input_size) inside.push_back(tap);
    const bool same = i > 0 && inside.size() == before.size() &&
                      (inside.empty() || inside[0].number == before[0].number);
    if (same) {
      ++runs.back().outputs.count;
      continue;
    }
    runs.push_back({{all.outputs.first + i * all.outputs.step, all.outputs.step, 1},
                    at,
                    all.input_step,
                    inside});
    before = std::move(inside);
  }
}

std::vector<AxisRun> forward_runs(const WindowAxis& axis) {
  AxisRun all{{0, 1, axis.output}, -axis.before, axis.stride, {}};
  for (int64_t k = 0; k < axis.size; ++k) all.taps.push_back({k, k * axis.dilation});
  std::vector<AxisRun> runs;
  add_runs(all, axis.input, runs);
  return runs;
}

// dx[i] is the sum of w[k] * dy[o] over o * stride + k * dilation = i + before. With i + before = a
// * stride + p these are the taps with k * dilation = p modulo the stride, at o = a - k * dilation
// / stride.
std::vector<AxisRun> gradient_runs(const WindowAxis& axis) {
  std::vector<AxisRun> runs;
  for (int64_t p = 0; p < axis.stride; ++p) {
    const int64_t first = ((p - axis.before) % axis.stride + axis.stride) % axis.stride;
    if (first >= axis.input) continue;
    AxisRun all{{first, axis.stride, (axis.input - first + axis.stride - 1) / axis.stride},
                (first + axis.before) / axis.stride,
                1,
                {}};
    for (int64_t k = 0; k < axis.size; ++k)
      if (k * axis.dilation % axis.stride == p)
        all.taps.push_back({k, -(k * axis.dilation / axis.stride)});
    add_runs(all, axis.output, runs);
  }
  return runs;
}

// Those of a run are at equal distances, and read at equal distances; in which order does not
// matter, so it is that of x.
DepthwiseTaps taps_of(const AxisRun& rows, const AxisRun& columns, const ChannelPlanes& input,
                      const ConvolutionProblem& problem) {
  DepthwiseTaps taps;
  if (columns.taps.empty()) return taps;
  AxisTap first = columns.taps.front(), second = first;
  if (columns.taps.size() > 1) second = columns.taps[1];
  if (second.shift < first.shift) {
    first = columns.taps.back();
    second = columns.taps[columns.taps.size() - 2];
  }
  taps.columns = static_cast<int64_t>(columns.taps.size());
  taps.column_x = (second.shift - first.shift) * input.lanes;
  taps.column_weight = (second.number - first.number) * problem.channels;
  for (const AxisTap& row : rows.taps)
    taps.rows.push_back({row.shift * input.row() + first.shift * input.lanes,
                         (row.number * problem.columns.size + first.number) * problem.channels});
  return taps;
}

std::vector<DepthwiseRectangle> rectangles_of(const std::vector<AxisRun>& rows,
                                              const std::vector<AxisRun>& columns,
                                              const ChannelPlanes& input,
                                              const ConvolutionProblem& problem) {
  std::vector<DepthwiseRectangle> rectangles;
  for (const AxisRun& r : rows)
    for (const AxisRun& c : columns)
      rectangles.push_back({.rows = r.outputs,
                            .columns = c.outputs,
                            .x = r.input * input.row() + c.input * input.lanes,
                            .row_step = r.input_step * input.row(),
                            .column_step = c.input_step * input.lanes,
                            .taps = taps_of(r, c, input, problem)});
  return rectangles;
}

}  // namespace

ChannelPlanes::ChannelPlanes(int64_t rows_in, int64_t columns_in, int64_t channels, Layout layout)
    : rows(rows_in), columns(columns_in) {
  lanes = layout.is_plain() ? channels : layout.channel_block;
  blocks = channels / lanes;
}

DepthwisePlan DepthwisePlan::forward(const ConvolutionProblem& problem, Layout layout) {
  const WindowAxis &rows = problem.rows, &columns = problem.columns;
  DepthwisePlan plan{.input = {rows.input, columns.input, problem.channels, layout},
                     .output = {rows.output, columns.output, problem.channels, layout},
                     .rectangles = {}};
  plan.planes = problem.batch * plan.input.blocks;
  plan.window = rows.size * columns.size;
  plan.rectangles = rectangles_of(forward_runs(rows), forward_runs(columns), plan.input, problem);
  return plan;
}

DepthwisePlan DepthwisePlan::input_gradient(const ConvolutionProblem& problem, Layout layout) {
  const WindowAxis &rows = problem.rows, &columns = problem.columns;
  DepthwisePlan plan{.input = {rows.output, columns.output, problem.channels, layout},
                     .output = {rows.input, columns.input, problem.channels, layout},
                     .rectangles = {}};
  plan.planes = problem.batch * plan.input.blocks;
  plan.window = rows.size * columns.size;
  plan.rectangles = rectangles_of(gradient_runs(rows), gradient_runs(columns), plan.input, problem);
  return plan;
}

}  // namespace plimsoll::kernels
