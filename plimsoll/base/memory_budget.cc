#include "plimsoll/base/memory_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"

namespace plimsoll {
namespace {

std::atomic<int64_t> limit_bytes = 0;  // 0: none is set

int64_t all_memory() {
  return process_memory().resident_bytes + memory_available();
}

int64_t share_of_memory(const std::string& text) {
  double percent = 0;
  const char* end = text.data() + text.size() - 1;
  const auto parsed = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(percent > 0 && percent <= 100))
    throw InvalidArgument(
        "memory: '" + text +
        "' is not a share of the memory (write it as 75%, from above 0% to 100%)");
  return static_cast<int64_t>(static_cast<double>(all_memory()) * percent / 100);
}

}  // namespace

int64_t parse_memory(const std::string& text) {
  return text.ends_with('%') ? share_of_memory(text) : parse_bytes(text);
}

MemoryBudget memory_budget(const std::string& text) {
  if (!text.empty()) return {.bytes = parse_memory(text), .is_given = true};
  if (const auto limit = memory_limit())
    return {.bytes = *limit, .is_given = true, .giver = "set_memory_limit"};
  constexpr int64_t kLeastMargin = int64_t{64} << 20;
  const int64_t all = all_memory();
  const int64_t margin = std::min(all / 2, std::max(kLeastMargin, all / 20));
  return {.bytes = all - margin, .margin_bytes = margin};
}

MemoryBudget memory_budget_here(const std::string& text) {
  MemoryBudget budget = memory_budget(text);
  if (!budget.is_given) return budget;
  // The system's own tables for the memory count as well.
  const int64_t all = all_memory();
  const int64_t most = all - all / 64;
  if (budget.bytes <= most) return budget;
  budget.asked_bytes = std::exchange(budget.bytes, most);
  return budget;
}

std::string MemoryBudget::to_string() const {
  if (asked_bytes > 0)
    return fmt::format("{} (what this machine gives; {} asks for {})", format_bytes(bytes), giver,
                       format_bytes(asked_bytes));
  if (is_given) return format_bytes(bytes) + " (" + std::string(giver) + ")";
  return format_bytes(bytes) + " (what this machine has left, less " + format_bytes(margin_bytes) +
         ")";
}

void set_memory_limit(const std::string& text) {
  const int64_t bytes = text.empty() ? 0 : parse_memory(text);
  if (!text.empty() && bytes == 0)
    throw InvalidArgument("set_memory_limit: expected a size above 0, found '" + text + "'");
  limit_bytes = bytes;
}

std::optional<int64_t> memory_limit() {
  const int64_t bytes = limit_bytes;
  return bytes == 0 ? std::nullopt : std::optional(bytes);
}

}  // namespace plimsoll
