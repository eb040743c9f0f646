// A source in another order: all records, in no memory, always the same for the same seed.
#pragma once

#include "plimsoll/data/source.h"

namespace plimsoll {

struct ShuffleOptions {
  int64_t seed = 0;
  bool reshuffle_each_epoch = true;  // without: every pass has the same order
};

SourcePtr shuffled(SourcePtr source, const ShuffleOptions& options);

}  // namespace plimsoll
