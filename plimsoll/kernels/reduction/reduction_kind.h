// The kinds of reductions.
#pragma once

namespace plimsoll::kernels {

// A NaN among the elements is their maximum and their minimum.
enum class Reduction { sum, max, min, prod };

}  // namespace plimsoll::kernels
