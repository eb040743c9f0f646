// Between the float64 arrays of references and the bytes that kernels read and write.
#pragma once

#include <cstddef>

#include "plimsoll/graph/reference.h"
#include "plimsoll/tensor/layout.h"

namespace plimsoll::testing {

Array read_array(const Spec& spec, Layout layout, const std::byte* from);
void write_array(const Array& array, Layout layout, std::byte* to);

}  // namespace plimsoll::testing
