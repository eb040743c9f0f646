// The instruction set of the vector code, ours and oneDNN's: the best one that the processor has,
// or at most the one that the environment variable PLIMSOLL_VECTOR_TARGET names. Results of two
// sets differ in their last bits, so this lets one machine compute what another, older one would.
#pragma once

#include <string_view>

namespace plimsoll::kernels {

// Reads PLIMSOLL_VECTOR_TARGET the first time it is called; throws InvalidArgument if it is not one
// of the names below. Call it before the first kernel is made.
void limit_vector_target();

// The same for a name that is given: SSE2, SSE4, AVX2 or AVX3 (which is AVX-512).
void limit_vector_target(std::string_view name);

// The set that kernels run with, by Highway's name. For "SSE2" this is SCALAR where Highway has no
// such target (1.0.3, of Debian 12).
std::string_view vector_target();

}  // namespace plimsoll::kernels
