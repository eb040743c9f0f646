// A source in another order, always the same for the same seed.
#pragma once

#include "plimsoll/data/source.h"

namespace plimsoll {

// For records that come sorted (images, class by class) and are to be split into two parts.
SourcePtr shuffled(SourcePtr source, int64_t seed);

}  // namespace plimsoll
