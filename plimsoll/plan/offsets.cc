#include "plimsoll/plan/offsets.h"

#include <algorithm>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/plan/greedy_offsets.h"

namespace plimsoll::plan {
namespace {

void check(const OffsetProblem& problem) {
  if (problem.alignment < 1) {
    throw InvalidArgument("offsets: alignment is " + std::to_string(problem.alignment) +
                          ", expected at least 1");
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (buffer.bytes < 0 || buffer.last < buffer.first) {
      throw InvalidArgument("offsets: buffer " + std::to_string(i) + " has " +
                            std::to_string(buffer.bytes) + " bytes in moments " +
                            std::to_string(buffer.first) + " to " + std::to_string(buffer.last) +
                            ", expected no negative size and an end after the beginning");
    }
  }
}

int64_t round_up(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

OffsetProblem with_rounded_sizes(OffsetProblem problem) {
  for (Buffer& buffer : problem.buffers) buffer.bytes = round_up(buffer.bytes, problem.alignment);
  return problem;
}

}  // namespace

LivePeak live_peak(const OffsetProblem& problem) {
  check(problem);
  struct Change {
    int64_t moment;
    int64_t bytes;
  };
  std::vector<Change> changes;
  changes.reserve(2 * problem.buffers.size());
  for (const Buffer& buffer : problem.buffers) {
    const int64_t bytes = round_up(buffer.bytes, problem.alignment);
    changes.push_back({buffer.first, bytes});
    changes.push_back({int64_t{buffer.last} + 1, -bytes});
  }
  // At one moment what ends goes before what begins.
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.moment != b.moment ? a.moment < b.moment : a.bytes < b.bytes;
  });
  LivePeak peak;
  int64_t live = 0;
  for (const Change& change : changes) {
    live += change.bytes;
    if (live > peak.bytes) peak = {live, static_cast<int32_t>(change.moment)};
  }
  return peak;
}

int64_t max_live_bytes(const OffsetProblem& problem) {
  return live_peak(problem).bytes;
}

OffsetSolution assign_offsets(const OffsetProblem& problem, const OffsetOptions&) {
  const int64_t bound = max_live_bytes(problem);
  const OffsetProblem rounded = with_rounded_sizes(problem);
  return best_greedy(rounded, bound).solution;
}

}  // namespace plimsoll::plan
