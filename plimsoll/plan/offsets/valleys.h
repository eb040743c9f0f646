// The valleys of a skyline, and what can be decided in them.
//
// A run is neighbouring sections of one floor; a valley is a run that is lower than both sides, and
// the ends of the part count as walls. In the example of skyline.h, after A and B are placed:
//
//   byte 2 | A  A  .  .      The run 0 to 1 is no valley: its right side is lower.
//   byte 1 | A  A  B  B      The run 2 to 3 is one, and its floor is byte 2.
//   byte 0 | A  A  B  B
//            0  1  2  3      Waiting: C (2 bytes, 1 to 2) and D (1 byte, 2 to 3).
//
// On the floor of section 2, D can lie, which is within the valley, but not C, which reaches out of
// it. Or nothing lies there: then the floor is wasted up to byte 3, the lowest where C can lie.
// These are 2 options; section 3 has as many, D or waste. The tie goes to section 2, which has less
// slack.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "plimsoll/plan/offsets/skyline.h"

namespace plimsoll::plan {

// Sections left, left + 1, ..., right.
struct Part {
  int32_t left = 0;
  int32_t right = 0;

  bool contains(const Block& block) const { return left <= block.left && block.right <= right; }
};

inline bool covers(const Block& block, int32_t section) {
  return block.left <= section && section <= block.right;
}

// What to decide next: what lies on the floor of `section`, which is in `valley`.
struct Choice {
  int32_t section = -1;
  Part valley;
  int32_t options = std::numeric_limits<int32_t>::max();  // blocks, and one for waste
};

// Looks at one part of a skyline, which no waiting block leaves; `waiting` are the blocks in it.
class ValleyView {
 public:
  // `skyline` must outlive the view.
  explicit ValleyView(const Skyline& skyline);

  // The section with the fewest options, each divided by the section's weight; what has at most one
  // goes first in any case. Ties go to the least slack.
  Choice most_constrained(std::span<const int32_t> waiting, Part part,
                          std::span<const double> weights);

  // Where the next block over the chosen section may lie if none lies on its floor: on the floor of
  // sections outside the valley, or on a block within it that does not cover the section.
  int64_t lowest_floor_above(std::span<const int32_t> waiting, Part part, const Choice& choice);

 private:
  void find_runs(Part part);
  void count_candidates(std::span<const int32_t> waiting, Part part);
  void find_heights_from(int32_t section, Part part);

  // The least waste if nothing lies on the floor of a run; below zero if the run is not a valley.
  int64_t least_waste(Part run, Part part, int64_t smallest_block) const;

  const Skyline& skyline_;
  std::vector<int32_t> run_of_;      // per section, where its run of equal floors begins
  std::vector<int32_t> candidates_;  // per section, blocks that lie within one run
  std::vector<int64_t> heights_;     // per section, the highest floor from there to the chosen one
};

}  // namespace plimsoll::plan
