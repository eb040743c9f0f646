// Which values are dropped, and when, during a walk through a step.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/plan/recompute/recompute_facts.h"

namespace plimsoll::plan {

// A point of a walk at which a value may be dropped. The gap is the time up to the use with this
// number in uses[owner]; after the last use there is one more. A touch is a read, by a task of the
// given order or by one that runs again: touch 0 begins the gap, reads by tasks that run again
// follow.
struct DropPoint {
  int32_t owner = 0;
  int32_t gap = 0;
  int32_t touch = 0;

  bool operator==(const DropPoint&) const = default;
};

// Values stay from use to use and go after the last one, but for the places that are changed.
class Drops {
 public:
  explicit Drops(const RecomputeFacts& facts) {
    for (const std::vector<int32_t>& uses : facts.uses) {
      starts_.push_back(changed_.size());
      changed_.resize(changed_.size() + uses.size() + 1);
    }
  }

  bool is_changed(const DropPoint& place) const {
    return (changed_[index(place)] & bit(place)) != 0;
  }
  void change(const DropPoint& place) { changed_[index(place)] ^= bit(place); }

 private:
  // Late touches of a gap are decided as one.
  static uint32_t bit(const DropPoint& place) {
    return uint32_t{1} << (place.touch < 31 ? place.touch : 31);
  }
  size_t index(const DropPoint& place) const {
    return starts_[static_cast<size_t>(place.owner)] + static_cast<size_t>(place.gap);
  }

  std::vector<size_t> starts_;     // of owners, in changed_
  std::vector<uint32_t> changed_;  // of gaps, one bit per touch
};

}  // namespace plimsoll::plan
