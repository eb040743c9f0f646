#include "plimsoll/kernels/convolution/convolution_slices.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

constexpr int64_t kSliceBytes = 2 << 20;  // of the output
constexpr int64_t kEnoughSlices = 4;      // a part, for those that get one more not to matter

bool share_well(int64_t slices, int64_t parts) {
  return slices % parts == 0 || slices >= kEnoughSlices * parts;
}

// The most images, by a divisor of the batch, so that all slices are alike.
int64_t slice_images(const ConvolutionProblem& problem, int64_t parts) {
  const int64_t image_bytes = problem.rows.output * problem.columns.output * problem.filters *
                              static_cast<int64_t>(sizeof(float));
  int64_t images = std::clamp<int64_t>(kSliceBytes / image_bytes, 1, problem.batch);
  while (problem.batch % images != 0 || !share_well(problem.batch / images, parts)) --images;
  return images;
}

}  // namespace

ConvolutionSlices::ConvolutionSlices(const ConvolutionProblem& problem, Parts parts)
    : slice_(problem) {
  // Too few images: the threads share each slice instead.
  if (parts == Parts::many && share_well(problem.batch, thread_count())) parts_ = thread_count();
  slice_.batch = slice_images(problem, parts_);
  count_ = problem.batch / slice_.batch;
}

ConvolutionSlices::Slice ConvolutionSlices::slice(std::byte* scratch, int64_t part, int64_t number,
                                                  bool is_first) const {
  return {.number = number,
          .part = part,
          .is_first = is_first,
          .floats = part_floats(scratch, part),
          .primitive = &primitives_[static_cast<size_t>(part)],
          .primitive_scratch = scratch + part * part_bytes() + own_bytes_};
}

}  // namespace plimsoll::kernels
