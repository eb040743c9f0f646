// WeightValues: where the values come from that are written into a file.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "plimsoll/graph/variable.h"

namespace plimsoll {

using UseValues = std::function<void(std::span<const std::byte>)>;

// Calls the function once with the values of the variable, which are there only during the call.
using WeightValues = std::function<void(const Variable&, const UseValues&)>;

// Those that the variables have.
inline void values_in_place(const Variable& variable, const UseValues& use) {
  use({variable.data(), static_cast<size_t>(variable.spec().bytes())});
}

}  // namespace plimsoll
