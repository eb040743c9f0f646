#include "plimsoll/plan/offsets/offsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/plan/offsets/greedy_offsets.h"
#include "plimsoll/plan/offsets/hill_climb.h"
#include "plimsoll/plan/offsets/placement_search.h"

namespace plimsoll::plan {
namespace {

constexpr int64_t kToleratedShare = 1000;  // a thousandth above the bound is not worth a search
constexpr int64_t kClimbShare = 32;        // of the work; the rest is for the search
constexpr size_t kMostSearchedBuffers = 2000;

void check(const OffsetProblem& problem) {
  if (problem.alignment < 1) {
    throw InvalidArgument(
        fmt::format("offsets: alignment is {}, expected at least 1", problem.alignment));
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (buffer.bytes < 0 || buffer.last < buffer.first) {
      throw InvalidArgument(
          fmt::format("offsets: buffer {} has {} bytes in moments {} to {}, expected no negative "
                      "size and an end after the beginning",
                      i, buffer.bytes, buffer.first, buffer.last));
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

// One search for the size that is enough; the best solution if it fails.
OffsetSolution reach(const OffsetProblem& problem, OffsetSolution best, int64_t capacity,
                     int64_t work) {
  PlacementResult result = place_within(problem, capacity, work);
  return result.verdict == PlacementResult::Verdict::possible ? std::move(result.solution)
                                                              : std::move(best);
}

// Searches for the bound itself first, as most problems reach it, then bisects between the best
// solution and the sizes that could not be reached.
OffsetSolution narrow_down(const OffsetProblem& problem, OffsetSolution best, int64_t bound,
                           int64_t work) {
  int64_t missed = bound - problem.alignment;
  int64_t capacity = bound;
  int64_t work_left = work;
  int64_t share = work / 8 * 3;
  while (missed + problem.alignment < best.arena_bytes && work_left > 0) {
    PlacementResult result = place_within(problem, capacity, std::min(share, work_left));
    if (result.verdict == PlacementResult::Verdict::possible) {
      best = std::move(result.solution);
    } else {
      missed = capacity;
    }
    capacity = missed + round_up((best.arena_bytes - missed) / 2, problem.alignment);
    work_left -= result.work;
    share = work / 8;
  }
  return best;
}

// A small gap is worth little work; a gap of a twentieth or more is worth all of it.
int64_t worthwhile(int64_t work, int64_t arena_bytes, int64_t bound) {
  const double gap = static_cast<double>(arena_bytes - bound) / static_cast<double>(bound);
  return static_cast<int64_t>(static_cast<double>(work) * std::min(1.0, gap * 20));
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

OffsetSolution assign_offsets(const OffsetProblem& problem, const OffsetOptions& options) {
  const int64_t bound = max_live_bytes(problem);
  const int64_t aim = std::max(bound, options.enough_bytes / problem.alignment * problem.alignment);
  const int64_t good_enough = std::max(aim, bound + bound / kToleratedShare);
  const OffsetProblem rounded = with_rounded_sizes(problem);
  GreedyResult greedy = best_greedy(rounded, aim);
  if (greedy.solution.arena_bytes <= good_enough) return std::move(greedy.solution);
  const int64_t work = worthwhile(options.work, greedy.solution.arena_bytes, aim);
  const int64_t climb_work = work / kClimbShare;
  OffsetSolution climbed = hill_climb(rounded, std::move(greedy), aim, climb_work);
  if (climbed.arena_bytes <= good_enough || problem.buffers.size() > kMostSearchedBuffers) {
    return climbed;
  }
  if (options.enough_bytes > 0) return reach(rounded, std::move(climbed), aim, work - climb_work);
  return narrow_down(rounded, std::move(climbed), bound, work - climb_work);
}

}  // namespace plimsoll::plan
