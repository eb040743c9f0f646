// The inner loops of elementwise programs: each function over one tile, with the widest vectors of
// this processor.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/elementwise/elementwise_program.h"

namespace plimsoll::kernels {

// Floats that a scalar operand is repeated: as many as the longest vector has.
inline constexpr int64_t kScalarFloats = 16;

// A tile of an operand: one float for each element, or kScalarFloats times the same for all.
struct TileOperand {
  const float* values = nullptr;
  int64_t index_mask = -1;  // 0 for a scalar: element i is values[i & index_mask]
};

// Operands that a function does not have are null. The target may be one of the operands.
struct TileArguments {
  TileOperand operands[3] = {};
  const float* constants = nullptr;
  float* target = nullptr;
};
using TileFunction = void (*)(int64_t count, const TileArguments&);

TileFunction tile_function(Function function);

// Conversions between float32 and the other dtypes; boolean is stored as 0 and 1.
using TileLoad = void (*)(const std::byte* from, int64_t count, float* to);
TileLoad tile_load(DType dtype);
using TileStore = void (*)(TileOperand from, int64_t count, uint8_t* to);
TileStore tile_store_boolean();

}  // namespace plimsoll::kernels
