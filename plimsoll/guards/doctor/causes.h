// The causes that a diagnosis may name, and which of them bring about others.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace plimsoll {

// A cause that a diagnosis may name, and those that it brings about.
struct KnownCause {
  std::string_view name;
  std::string_view what;
  std::vector<std::string_view> explains;
};
std::span<const KnownCause> known_causes();

// True if it is found by measured times and memory. Another process of the same run may not find
// it, so the log of a run, which is the same however often the run was stopped, leaves it out.
bool is_of_machine(std::string_view cause);

}  // namespace plimsoll
