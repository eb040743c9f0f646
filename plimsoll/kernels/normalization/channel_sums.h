// Sums over all positions of a tensor, one per channel, in either layout.
#pragma once

#include <cstddef>

#include "plimsoll/kernels/kernel.h"
#include "plimsoll/kernels/normalization/channel_pieces.h"

namespace plimsoll::kernels {

class ChannelSums {
 public:
  // Planned for the thread_count() at construction.
  ChannelSums(const Shape& shape, Layout layout);

  int64_t scratch_bytes() const;

  // Results are doubles, one per channel. The order of summation depends on shape, layout and
  // thread count alone. `scratch` may not be shared with what the results are read from.
  void sum(const float* a, double* sums, std::byte* scratch) const;
  // The sums of (a - center)^2.
  void squared_differences(const float* a, const float* center, double* sums,
                           std::byte* scratch) const;
  // The sums of a, and those of a * (b - center).
  void products(const float* a, const float* b, const float* center, double* sums, double* products,
                std::byte* scratch) const;

 private:
  template <class PieceSums>
  void run(int results, double* const* to, std::byte* scratch, const PieceSums& piece_sums) const;

  ChannelPieces pieces_;
  int64_t parts_ = 1;  // of the pieces, each summed by one thread
};

// x -> (C,): the sum over all positions.
KernelPtr make_channel_sum(const KernelRequest& request);

}  // namespace plimsoll::kernels
