// A convolution taken a few images at a time, so that what follows it, and what is converted for
// it, stays in the caches. Threads take slices of their own where there are enough: one fork and
// join for all of them, because a barrier is expensive when another program holds a core.
#pragma once

#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution/convolution_problem.h"
#include "plimsoll/kernels/convolution/onednn_primitive.h"

namespace plimsoll::kernels {

class ConvolutionSlices {
 public:
  // The most parts that may work side by side: some need much memory each.
  enum class Parts { many, one };

  // For the problem of a slice, `make` returns its primitive and `part_floats` how many floats of
  // scratch each part gets besides the primitive's own.
  template <class PartFloats, class Make>
  ConvolutionSlices(const ConvolutionProblem& problem, Parts parts, const PartFloats& part_floats,
                    const Make& make)
      : ConvolutionSlices(problem, parts) {
    own_bytes_ = aligned(part_floats(slice_)) * int64_t{sizeof(float)};
    const OneThread guard(parts_ > 1);
    primitives_.push_back(make(slice_));
    while (static_cast<int64_t>(primitives_.size()) < parts_)
      primitives_.push_back(primitives_[0].clone());
  }

  // The arguments of one call of a body.
  struct Slice {
    int64_t number = 0;       // of the slice
    int64_t part = 0;         // the part that computes it
    bool is_first = true;     // of its part
    float* floats = nullptr;  // the part's own
    const OneDnnPrimitive* primitive = nullptr;
    std::byte* primitive_scratch = nullptr;

    void run(void* const* pointers) const {
      primitive->run(pointers, primitive_scratch, !is_first);
    }
  };

  // Calls body(slice) for all of them, in order within a part.
  template <class Body>
  void for_each(std::byte* scratch, const Body& body) const {
    parallel_for(parts_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        const int64_t first = count_ * part / parts_, last = count_ * (part + 1) / parts_;
        for (int64_t i = first; i < last; ++i) body(slice(scratch, part, i, i == first));
      }
    });
  }

  const ConvolutionProblem& problem() const { return slice_; }  // of one slice
  int64_t parts() const { return parts_; }
  int64_t scratch_bytes() const { return parts_ * part_bytes(); }
  float* part_floats(std::byte* scratch, int64_t part) const {
    return reinterpret_cast<float*>(scratch + part * part_bytes());
  }

  // The floats of a slice of x and of y.
  int64_t x_floats() const {
    return slice_.batch * slice_.rows.input * slice_.columns.input * slice_.channels;
  }
  int64_t y_floats() const {
    return slice_.batch * slice_.rows.output * slice_.columns.output * slice_.filters;
  }

  static int64_t aligned(int64_t floats) { return (floats + 15) / 16 * 16; }

 private:
  ConvolutionSlices(const ConvolutionProblem& problem, Parts parts);

  int64_t part_bytes() const {
    return own_bytes_ + (primitives_[0].scratch_bytes() + 63) / 64 * 64;
  }
  Slice slice(std::byte* scratch, int64_t part, int64_t number, bool is_first) const;

  ConvolutionProblem slice_;
  int64_t parts_ = 1, count_ = 1;
  int64_t own_bytes_ = 0;                    // of a part
  std::vector<OneDnnPrimitive> primitives_;  // one per part
};

}  // namespace plimsoll::kernels
