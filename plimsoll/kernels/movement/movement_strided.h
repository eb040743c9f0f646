// Copies elements between two tensors that are walked with any strides: what transpose,
// broadcast_to, slice and concatenate have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll::kernels {

// How far apart, in elements, neighbours on an axis are in memory; 0 repeats an element.
struct StridedAxis {
  int64_t size = 1, from = 0, to = 0;
};

// Planned once: axes are merged where both sides allow, and where the two sides run along
// different axes the copy goes by blocks of both.
class StridedCopy {
 public:
  // Outermost axis first; the axes with a `to` must not overlap.
  StridedCopy(const std::vector<StridedAxis>& axes, int64_t element_bytes);

  void run(const std::byte* from, std::byte* to) const;

 private:
  // Rows along the last axis; or blocks of the last axis and one that is contiguous in `from`.
  enum class Method { rows, blocks };

  template <class T>
  void run_rows(const T* from, T* to) const;
  template <class T>
  void run_blocks(const T* from, T* to) const;

  std::vector<StridedAxis> outer_;  // the axes of the outer loops, outermost first
  StridedAxis across_;              // of `blocks`: the axis that is contiguous in `from`
  StridedAxis along_;               // the innermost axis of `to`
  int64_t element_bytes_;
  Method method_ = Method::rows;
  bool is_empty_ = false;
};

}  // namespace plimsoll::kernels
