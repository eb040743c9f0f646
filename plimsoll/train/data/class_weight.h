// class_weight of fit: the weight of a sample is that of its class.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "plimsoll/train/data/dataset.h"

namespace plimsoll {

// Class -> weight; a class that is not listed has weight 1.
using ClassWeight = std::map<int64_t, double>;

// scikit-learn's "balanced": records / (classes * records of the class), over the data. The class
// of a record is that of with_class_weight(). Records that cannot be read do not count, because
// training names them. InvalidArgument where the labels are not classes: not whole numbers from 0
// on, or more than 10,000 of them.
ClassWeight balanced_class_weight(const Dataset& data, int target);

// Weights from the text of a JSON object, {"cat": 2, "dog": 0.5} or {"0": 2, "1": 0.5}: a key is
// the name of a class, or else its number. `names` may be empty. InvalidArgument, beginning with
// `where`, for a class that is not there and for a weight that is not a number from 0 on.
ClassWeight class_weight_from_json(const std::string& text, std::span<const std::string> names,
                                   const std::string& where);

// The data with one more field, the sample weight, which is looked up as a record is read. The
// class of a record is the label in `target`, rounded, or the place of the largest number where
// there are several, as with one-hot labels. InvalidArgument where a target is more than one class.
Dataset with_class_weight(const Dataset& data, int target, const ClassWeight& weights);

}  // namespace plimsoll
