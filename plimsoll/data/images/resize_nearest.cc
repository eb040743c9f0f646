#include "plimsoll/data/images/resize_rows.h"

#include <algorithm>
#include <vector>

namespace plimsoll {
namespace {

class NearestRows final : public ResizeRows {
 public:
  explicit NearestRows(const ResizeProblem& problem) : problem_(problem) {
    for (int64_t x = 0; x < problem.to_width; ++x)
      columns_.push_back(source(x, problem.from_width, problem.columns_scale()) * problem.channels);
  }

  void add(int64_t y, const uint8_t* row) override {
    for (; next_ < problem_.to_height && row_of(next_) == y; ++next_) {
      float* into = problem_.into + next_ * problem_.into_stride;
      for (const int64_t at : columns_)
        for (int64_t c = 0; c < problem_.channels; ++c) *into++ = row[at + c];
    }
  }

 private:
  static int64_t source(int64_t i, int64_t from, float scale) {
    const float at = (static_cast<float>(i) + 0.5f) * scale;
    return std::min(static_cast<int64_t>(at), from - 1);
  }
  int64_t row_of(int64_t i) const { return source(i, problem_.from_height, problem_.rows_scale()); }

  ResizeProblem problem_;
  std::vector<int64_t> columns_;  // where each output's pixel begins
  int64_t next_ = 0;              // the row to be written next
};

}  // namespace

std::unique_ptr<ResizeRows> resize_nearest_rows(const ResizeProblem& problem) {
  return std::make_unique<NearestRows>(problem);
}

}  // namespace plimsoll
