// How an input of an elementwise program is read, tile by tile, as float32 of the output's shape.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/elementwise/elementwise_broadcast.h"
#include "plimsoll/kernels/elementwise/elementwise_functions.h"

namespace plimsoll::kernels {

// The least length of a row that is worth a tile of its own.
inline constexpr int64_t kShortRow = 256;

// Chosen once, when the kernel is made; const while it runs.
class ElementwiseOperand {
 public:
  // read() is called for tiles that begin at multiples of `tile` and are at most that long.
  // `elements`: of the whole output.
  ElementwiseOperand(BroadcastView view, DType dtype, int64_t tile, int64_t elements);

  // How many floats of its own each thread needs for this operand.
  int64_t buffer_floats() const { return buffer_floats_; }

  // True if all elements of any one tile are the same.
  bool is_scalar() const { return is_scalar_everywhere() || mode_ == Mode::scalar_in_tile; }
  bool is_scalar_everywhere() const { return mode_ == Mode::scalar; }
  // True if it is read in place, whatever the tile.
  bool is_direct() const { return mode_ == Mode::direct; }

  // Call it once per thread and run, before the first read().
  void prepare(const std::byte* input, float* buffer) const;

  // The values of the output's elements [first, first + count): in the input's own memory if
  // possible, else in the buffer. A scalar is repeated kScalarFloats times.
  const float* read(const std::byte* input, int64_t first, int64_t count, float* buffer) const;

 private:
  enum class Mode {
    direct,          // float32 of the output's shape
    scalar,          // the same for all
    scalar_in_tile,  // one element per row, and no tile crosses a row's end
    repeated,        // a short period, written out once over a whole tile
    wrapped,         // float32 with a long period: direct but for tiles that cross its end
    expanded,        // everything else: converted or broadcast tile by tile
  };
  static Mode choose(const BroadcastView& view, DType dtype, int64_t tile);
  int64_t floats_needed(int64_t tile, int64_t elements) const;
  void expand(const std::byte* input, int64_t first, int64_t count, float* to) const;

  BroadcastView view_;
  int64_t element_bytes_;
  TileLoad load_;
  Mode mode_;
  int64_t row_;  // length of the last dimension
  int64_t buffer_floats_;
};

}  // namespace plimsoll::kernels
