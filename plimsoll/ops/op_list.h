// The name of every op, once, in alphabetical order. Tests read it: each row must be checked
// against its reference and by finite differences.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll {

std::span<const std::string_view> op_names();

}  // namespace plimsoll
