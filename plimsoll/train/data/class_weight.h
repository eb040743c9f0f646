// class_weight of fit: the weight of a sample is that of its class.
#pragma once

#include <cstdint>
#include <map>

#include "plimsoll/train/data/dataset.h"

namespace plimsoll {

// Class -> weight; a class that is not listed has weight 1.
using ClassWeight = std::map<int64_t, double>;

// The data with one more field, the sample weight, which is looked up as a record is read. The
// class of a record is the label in `target`, rounded, or the place of the largest number where
// there are several, as with one-hot labels. InvalidArgument where a target is more than one class.
Dataset with_class_weight(const Dataset& data, int target, const ClassWeight& weights);

}  // namespace plimsoll
