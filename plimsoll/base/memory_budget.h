// The memory that a run may take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

struct MemoryBudget {
  int64_t bytes = 0;
  bool is_given = false;     // else it is what the machine would give
  int64_t margin_bytes = 0;  // left to others where it is not given
  std::string_view giver = "--memory";
  int64_t asked_bytes = 0;  // where more was asked for than the machine gives

  // "512.0 MiB (--memory)"
  std::string to_string() const;
};

// Reads the size of a budget: what parse_bytes() reads, or "75%" of what this process holds and may
// still take, by the machine and its control groups. InvalidArgument for anything else, and for a
// share that is not above 0 and up to 100%.
int64_t parse_memory(const std::string& text);

// `text` is the value of --memory, or of FitOptions::memory. Empty: the memory limit that the
// program has set, else what this process holds and may still take, by the machine and its control
// groups, less a margin.
MemoryBudget memory_budget(const std::string& text = "");

// The budget of a run that is about to take it: the same, but no more than the machine and its
// control groups give at this moment. Whoever takes more is killed.
MemoryBudget memory_budget_here(const std::string& text = "");

// Limits all the memory of this process ("512MiB", "75%"). The limit holds for loops that are
// written by hand, and for fit unless its options name another. Empty: the limit is again what the
// machine leaves. InvalidArgument for what is not a size.
void set_memory_limit(const std::string& text);
// As it was set, in bytes.
std::optional<int64_t> memory_limit();

}  // namespace plimsoll
