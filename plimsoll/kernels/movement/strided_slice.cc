#include "plimsoll/kernels/movement/strided_slice.h"

#include <algorithm>
#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/movement/movement_strided.h"

namespace plimsoll::kernels {
namespace {

// The positions of the small tensor's elements in the large one.
struct Lattice {
  std::vector<StridedAxis> axes;  // `from` is of the large tensor, `to` of the small one
  int64_t first = 0;              // in elements of the large tensor
};

Lattice lattice_of(const Shape& large, const Shape& small, std::span<const int64_t> begin,
                   std::span<const int64_t> step) {
  Lattice lattice;
  for (int i = 0; i < large.rank(); ++i) {
    const auto axis = static_cast<size_t>(i);
    const int64_t stride = large.elements(i + 1, large.rank());
    lattice.axes.push_back({small[i], stride * step[axis], small.elements(i + 1, small.rank())});
    lattice.first += begin[axis] * stride;
  }
  return lattice;
}

class Slice final : public Kernel {
 public:
  Slice(const Lattice& lattice, int64_t element_bytes)
      : copy_(lattice.axes, element_bytes), first_byte_(lattice.first * element_bytes) {}
  void run(const KernelArguments& arguments) const override {
    copy_.run(arguments.inputs[0] + first_byte_, arguments.outputs[0]);
  }

 private:
  StridedCopy copy_;
  int64_t first_byte_;
};

std::vector<StridedAxis> reversed(std::vector<StridedAxis> axes) {
  for (StridedAxis& axis : axes) std::swap(axis.from, axis.to);
  return axes;
}

class Scatter final : public Kernel {
 public:
  Scatter(const Lattice& lattice, const Spec& out)
      : copy_(reversed(lattice.axes), size_of(out.dtype)),
        first_byte_(lattice.first * size_of(out.dtype)),
        bytes_(out.bytes()) {}
  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrainBytes = 128 * 1024;
    std::byte* y = arguments.outputs[0];
    parallel_for(bytes_, kGrainBytes,
                 [y](int64_t begin, int64_t end) { std::fill(y + begin, y + end, std::byte{0}); });
    copy_.run(arguments.inputs[0], y + first_byte_);
  }

 private:
  StridedCopy copy_;
  int64_t first_byte_, bytes_;
};

}  // namespace

KernelPtr make_strided_slice(const KernelRequest& request, std::span<const int64_t> begin,
                             std::span<const int64_t> step) {
  const Spec &in = request.inputs[0], &out = request.outputs[0];
  return std::make_unique<Slice>(lattice_of(in.shape, out.shape, begin, step), size_of(in.dtype));
}

KernelPtr make_strided_scatter(const KernelRequest& request, std::span<const int64_t> begin,
                               std::span<const int64_t> step) {
  const Spec &in = request.inputs[0], &out = request.outputs[0];
  return std::make_unique<Scatter>(lattice_of(out.shape, in.shape, begin, step), out);
}

}  // namespace plimsoll::kernels
