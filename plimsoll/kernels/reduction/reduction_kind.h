// What a reduction makes of the elements that it reads.
#pragma once

namespace plimsoll::kernels {

// A NaN among the elements is their maximum and their minimum.
enum class Reduction { sum, max, min, prod };

}  // namespace plimsoll::kernels
