// Blocks piled up from the bottom of an arena: how high each section is and what it may waste.
//
// Time runs to the right in sections, bytes upwards. An example in 6 bytes: the blocks A (3 bytes,
// sections 0 to 1), B (2 bytes, 2 to 3), C (2 bytes, 1 to 2) and D (1 byte, 2 to 3). A and B are
// placed on the bottom. C lies over A and B, whose tops differ, so a byte above B is wasted (w)
// first. D comes last and costs section 3 three more bytes:
//
//   byte 5 | .  .  D  D
//   byte 4 | .  C  C  w
//   byte 3 | .  C  C  w                     after A and B     at the end
//   byte 2 | A  A  w  w       section       0  1  2  3        0  1  2  3
//   byte 1 | A  A  B  B       floor         3  3  2  2        3  5  6  6
//   byte 0 | A  A  B  B       slack         3  1  1  3        3  1  0  0
//            0  1  2  3
//
// The slack of a section begins as the capacity less all blocks that cover it; only waste takes
// from it. Here the slack allowed all of this. D before C would have wasted nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/plan/offsets/sections.h"

namespace plimsoll::plan {

// Every change can be undone, last one first.
class Skyline {
 public:
  Skyline(std::vector<Block> blocks, int64_t capacity);

  int32_t section_count() const { return static_cast<int32_t>(sections_.size()); }
  const std::vector<Block>& blocks() const { return blocks_; }

  // The lowest byte that is still free in a section.
  int64_t floor(int32_t section) const { return sections_[section].floor; }

  // Bytes that may stay unused below what is still to be placed; below zero there is no solution
  // any more.
  int64_t slack(int32_t section) const { return sections_[section].slack; }

  // Whether a block that is not placed yet covers the section, or covers it and the next one.
  bool is_open(int32_t section) const { return sections_[section].waiting > 0; }
  bool is_open_to_next(int32_t section) const { return sections_[section].waiting_to_next > 0; }

  // Summed over sections that no waiting block leaves: which blocks wait there, on which floors.
  uint64_t fingerprint(int32_t section) const { return sections_[section].fingerprint; }

  bool is_placed(int32_t block) const { return offsets_[block] >= 0; }
  const std::vector<int64_t>& offsets() const { return offsets_; }

  // All sections of the block must have the same floor.
  void place(int32_t block);

  // Leaves bytes of a section unused, at most its slack.
  void waste(int32_t section, int64_t bytes);

  size_t change_count() const { return changes_.size(); }
  void undo_to(size_t change_count);

 private:
  struct Section {
    int64_t floor = 0;
    int64_t slack = 0;
    int32_t waiting = 0;          // blocks that cover this section
    int32_t waiting_to_next = 0;  // blocks that cover this section and the next one
    uint64_t fingerprint = 0;
  };
  struct Change {
    int32_t block;    // -1 for waste
    int32_t section;  // of the waste
    int64_t bytes;
  };

  // Lifts the floor under a block by its size (direction 1), or lowers it again (-1).
  void lift(int32_t block, int32_t direction);
  void set_floor(int32_t section, int64_t floor);
  static uint64_t floor_fingerprint(int32_t section, int64_t floor);

  std::vector<Block> blocks_;
  std::vector<Section> sections_;
  std::vector<int64_t> offsets_;  // per block; -1 while it waits
  std::vector<Change> changes_;
};

}  // namespace plimsoll::plan
