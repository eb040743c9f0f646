// How an input of an elementwise program is read, tile by tile, as float32 of the output's shape.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/elementwise_broadcast.h"
#include "plimsoll/kernels/elementwise_functions.h"

namespace plimsoll::kernels {

// Chosen once, when the kernel is made; const while it runs.
class ElementwiseOperand {
 public:
  // `tile`: the largest count that read() is asked for. `elements`: of the whole output.
  ElementwiseOperand(BroadcastView view, DType dtype, int64_t tile, int64_t elements);

  // Each thread has so many floats of its own for this operand.
  int64_t buffer_floats() const { return buffer_floats_; }

  // Once for each thread and run, before the first read().
  void prepare(const std::byte* input, float* buffer) const;

  // `count` floats for the output's elements from `first` on: the input's own memory where it can
  // be, else the buffer.
  const float* read(const std::byte* input, int64_t first, int64_t count, float* buffer) const;

 private:
  enum class Mode {
    direct,    // float32 of the output's shape
    repeated,  // a short period (1 for a scalar), written out once over a whole tile
    wrapped,   // float32 with a period longer than a tile
    expanded,  // everything else: converted or broadcast tile by tile
  };
  static Mode choose(const BroadcastView& view, DType dtype, int64_t tile);
  void expand(const std::byte* input, int64_t first, int64_t count, float* to) const;

  BroadcastView view_;
  int64_t element_bytes_;
  TileLoad load_;
  Mode mode_;
  int64_t period_;
  int64_t buffer_floats_ = 0;
};

}  // namespace plimsoll::kernels
