// Offset problems for tests and benchmarks.
#pragma once

#include <cstdint>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/plan/offsets/offset_problem.h"

namespace plimsoll::plan {

// Reads minimalloc's format: a heading, then id,lower,upper,size in each line, upper exclusive.
inline OffsetProblem read_minimalloc_csv(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw IoError(path + ": cannot be read");
  OffsetProblem problem;
  while (std::getline(file, line)) {
    std::istringstream row(line);
    int64_t id = 0, lower = 0, upper = 0, bytes = 0;
    char comma = 0;
    if (!(row >> id >> comma >> lower >> comma >> upper >> comma >> bytes)) {
      throw CorruptFile(path + ": expected four numbers, found '" + line + "'");
    }
    problem.buffers.push_back(
        {bytes, static_cast<int32_t>(lower), static_cast<int32_t>(upper) - 1});
  }
  return problem;
}

// Buffers of all sizes, some of none, with lives from one moment to nearly all.
inline OffsetProblem random_offset_problem(uint32_t seed, int32_t count) {
  std::mt19937 random(seed);
  const auto below = [&](int64_t limit) { return static_cast<int64_t>(random()) % limit; };
  OffsetProblem problem{.alignment = int64_t{1} << below(8)};
  for (int32_t i = 0; i < count; ++i) {
    const int64_t first = below(count);
    const int64_t life = below(8) == 0 ? below(count) : below(10);
    const int64_t bytes = below(10) == 0 ? 0 : 1 + below(int64_t{1} << (1 + below(20)));
    problem.buffers.push_back(
        {bytes, static_cast<int32_t>(first), static_cast<int32_t>(first + life)});
  }
  return problem;
}

// A problem that surely has a solution in `capacity` without a gap at any moment: the arena, seen
// as a rectangle of time and bytes, is cut again and again.
inline OffsetProblem perfect_offset_problem(uint32_t seed, int32_t count, int64_t capacity) {
  std::mt19937 random(seed);
  const auto below = [&](int64_t limit) { return static_cast<int64_t>(random()) % limit; };
  OffsetProblem problem{.buffers = {{capacity, 0, 4 * count - 1}}, .alignment = 1};
  while (static_cast<int32_t>(problem.buffers.size()) < count) {
    Buffer& cut = problem.buffers[below(static_cast<int64_t>(problem.buffers.size()))];
    Buffer rest = cut;
    if (below(2) == 0 && cut.bytes > 1) {
      rest.bytes = 1 + below(cut.bytes - 1);
      cut.bytes -= rest.bytes;
    } else if (cut.last > cut.first) {
      rest.first = cut.first + 1 + static_cast<int32_t>(below(cut.last - cut.first));
      cut.last = rest.first - 1;
    } else {
      continue;
    }
    problem.buffers.push_back(rest);
  }
  return problem;
}

}  // namespace plimsoll::plan
