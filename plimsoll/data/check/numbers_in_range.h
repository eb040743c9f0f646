// A source whose whole numbers all have a place: a label among the classes, a word in the
// vocabulary. A record with another is an error that names it and the number.
#pragma once

#include <optional>
#include <vector>

#include "plimsoll/base/flaw.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

struct NumberRange {
  size_t field;
  int64_t limit;                        // numbers are 0 to limit - 1
  std::optional<int64_t> ignored = {};  // but this is taken, too
  Flaw flaw = Flaw::out_of_range;
};

SourcePtr numbers_in_range(SourcePtr source, std::vector<NumberRange> ranges);

}  // namespace plimsoll
