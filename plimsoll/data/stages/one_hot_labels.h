// Class numbers as vectors of a 1 among 0s, which some losses want.
#pragma once

#include "plimsoll/data/source.h"

namespace plimsoll {

// The same records with field `field`, a number of an integer type, as float32 of shape (classes).
// Reading throws InvalidArgument, naming the record, where a label is not in [0, classes).
SourcePtr one_hot_labels(SourcePtr source, int field, int64_t classes);

}  // namespace plimsoll
