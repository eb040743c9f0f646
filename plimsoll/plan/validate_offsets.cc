#include <fmt/format.h>

#include <string>

#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {

// Every pair is checked: slow, but obviously right.
std::vector<std::string> validate_offsets(const OffsetProblem& problem,
                                          const OffsetSolution& solution) {
  const std::vector<Buffer>& buffers = problem.buffers;
  const std::vector<int64_t>& offsets = solution.offsets;
  if (offsets.size() != buffers.size()) {
    return {fmt::format("{} offsets for {} buffers", offsets.size(), buffers.size())};
  }
  std::vector<std::string> defects;
  for (size_t a = 0; a < buffers.size(); ++a) {
    const std::string who = fmt::format("buffer {}", a);
    if (offsets[a] % problem.alignment != 0) defects.push_back(who + " is not aligned");
    if (offsets[a] < 0 || offsets[a] + buffers[a].bytes > solution.arena_bytes) {
      defects.push_back(who + " is not inside the arena");
    }
    for (size_t b = 0; b < a; ++b) {
      const bool share_a_moment =
          buffers[a].first <= buffers[b].last && buffers[b].first <= buffers[a].last;
      const bool share_a_byte = offsets[a] < offsets[b] + buffers[b].bytes &&
                                offsets[b] < offsets[a] + buffers[a].bytes &&
                                buffers[a].bytes > 0 && buffers[b].bytes > 0;
      if (share_a_moment && share_a_byte) {
        defects.push_back(fmt::format("{} overlaps buffer {}", who, b));
      }
    }
  }
  return defects;
}

}  // namespace plimsoll::plan
