#include "plimsoll/plan/arena_contents.h"

#include <iterator>

namespace plimsoll::plan {

void ArenaContents::split(int64_t at) {
  const auto range = std::prev(writers_.upper_bound(at));
  writers_.emplace(at, range->second);
}

void ArenaContents::write(int64_t begin, int64_t end, int64_t writer) {
  if (begin >= end) return;
  split(begin);
  split(end);
  writers_.erase(writers_.find(begin), writers_.find(end));
  writers_.emplace(begin, writer);
}

std::optional<int64_t> ArenaContents::first_stranger(int64_t begin, int64_t end,
                                                     int64_t writer) const {
  if (begin >= end) return std::nullopt;
  for (auto range = std::prev(writers_.upper_bound(begin));
       range != writers_.end() && range->first < end; ++range) {
    if (range->second != writer) return range->second;
  }
  return std::nullopt;
}

}  // namespace plimsoll::plan
