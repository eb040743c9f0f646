#include "plimsoll/kernels/reduction/finite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/reduction/finite.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/row_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// 0 where all are finite, else NaN: x * 0 is 0 for finite x alone.
double not_finite(const float* x, int64_t size) {
  const RowTag d;
  const RowVector zero = hn::Zero(d);
  RowVector sum0 = zero, sum1 = zero, sum2 = zero, sum3 = zero;
  int64_t i = 0;
  for (; i + 4 * kRowLanes <= size; i += 4 * kRowLanes) {
    sum0 = hn::MulAdd(hn::LoadU(d, x + i), zero, sum0);
    sum1 = hn::MulAdd(hn::LoadU(d, x + i + kRowLanes), zero, sum1);
    sum2 = hn::MulAdd(hn::LoadU(d, x + i + 2 * kRowLanes), zero, sum2);
    sum3 = hn::MulAdd(hn::LoadU(d, x + i + 3 * kRowLanes), zero, sum3);
  }
  for_each_vector(x + i, size - i, 0,
                  [&](RowVector v, int64_t, int64_t) { sum0 = hn::MulAdd(v, zero, sum0); });
  const RowVector sum = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// In chunks, whose sums are added in double.
double squares(const float* x, int64_t size) {
  constexpr int64_t kChunk = 2048;
  const RowTag d;
  double total = 0;
  for (int64_t start = 0; start < size; start += kChunk) {
    const float* chunk = x + start;
    const int64_t count = std::min(kChunk, size - start);
    RowVector sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    int64_t i = 0;
    for (; i + 4 * kRowLanes <= count; i += 4 * kRowLanes) {
      const RowVector v0 = hn::LoadU(d, chunk + i), v1 = hn::LoadU(d, chunk + i + kRowLanes);
      const RowVector v2 = hn::LoadU(d, chunk + i + 2 * kRowLanes);
      const RowVector v3 = hn::LoadU(d, chunk + i + 3 * kRowLanes);
      sum0 = hn::MulAdd(v0, v0, sum0), sum1 = hn::MulAdd(v1, v1, sum1);
      sum2 = hn::MulAdd(v2, v2, sum2), sum3 = hn::MulAdd(v3, v3, sum3);
    }
    for_each_vector(chunk + i, count - i, 0,
                    [&](RowVector v, int64_t, int64_t) { sum0 = hn::MulAdd(v, v, sum0); });
    const RowVector sum = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
    total += hn::GetLane(hn::SumOfLanes(d, sum));
  }
  return total;
}

// Of numbers whose squares are too large for float32.
double large_squares(const float* x, int64_t size) {
  double total = 0;
  for (int64_t i = 0; i < size; ++i) total += static_cast<double>(x[i]) * x[i];
  return total;
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

HWY_EXPORT(not_finite);
HWY_EXPORT(squares);
HWY_EXPORT(large_squares);

// Adds up one number from each piece of each tensor, in order. Pieces depend on the shapes alone,
// so the result does not depend on the number of threads.
class SumOverAll : public Kernel {
 public:
  explicit SumOverAll(const KernelRequest& request) {
    int64_t elements = 0;
    for (size_t input = 0; input < request.inputs.size(); ++input) {
      const int64_t size = request.inputs[input].shape.elements();
      for (int64_t begin = 0; begin < size; begin += kPiece)
        pieces_.push_back({static_cast<int>(input), begin, std::min(kPiece, size - begin)});
      elements += size;
    }
    // Many small tensors may be less work than a few whole pieces, so the grain depends on
    // elements.
    const auto pieces = static_cast<int64_t>(pieces_.size());
    grain_ = 2 * kPiece * pieces / std::max<int64_t>(elements, 1) + 1;
  }

  int64_t scratch_bytes() const override {
    return static_cast<int64_t>(pieces_.size() * sizeof(double));
  }

 protected:
  using Measure = double (*)(const float*, int64_t);

  double sum(const KernelArguments& arguments, Measure measure) const {
    auto* sums = reinterpret_cast<double*>(arguments.scratch);
    parallel_for(static_cast<int64_t>(pieces_.size()), grain_, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Piece& piece = pieces_[static_cast<size_t>(i)];
        sums[i] = measure(arguments.input(piece.input) + piece.begin, piece.size);
      }
    });
    double total = 0;
    for (size_t i = 0; i < pieces_.size(); ++i) total += sums[i];
    return total;
  }

 private:
  static constexpr int64_t kPiece = 32 * 1024;

  struct Piece {
    int input;
    int64_t begin, size;
  };

  std::vector<Piece> pieces_;
  int64_t grain_ = 1;  // pieces that are worth a thread
};

class AllFinite final : public SumOverAll {
 public:
  using SumOverAll::SumOverAll;
  void run(const KernelArguments& arguments) const override {
    *arguments.output<uint8_t>(0) = sum(arguments, HWY_DYNAMIC_DISPATCH(not_finite)) == 0;
  }
};

// Numbers that are finite have a finite norm: squares that overflow are added once more in double.
class Norm final : public SumOverAll {
 public:
  using SumOverAll::SumOverAll;
  void run(const KernelArguments& arguments) const override {
    const auto squares = static_cast<float>(sum(arguments, HWY_DYNAMIC_DISPATCH(squares)));
    *arguments.output(0) = std::isfinite(squares) ? std::sqrt(squares) : large_norm(arguments);
  }

 private:
  float large_norm(const KernelArguments& arguments) const {
    const double norm = std::sqrt(sum(arguments, HWY_DYNAMIC_DISPATCH(large_squares)));
    constexpr double kMost = std::numeric_limits<float>::max();
    return static_cast<float>(std::isfinite(norm) ? std::min(norm, kMost) : norm);
  }
};

}  // namespace

KernelPtr make_all_finite(const KernelRequest& request) {
  return std::make_unique<AllFinite>(request);
}

KernelPtr make_norm(const KernelRequest& request) {
  return std::make_unique<Norm>(request);
}

}  // namespace plimsoll::kernels
#endif
