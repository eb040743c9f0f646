// Whether a part that was taken from the end of the data has the classes of the rest.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/base/finding.h"
#include "plimsoll/train/data/validation_split.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

// A warning where the classes of the two parts are so different that the records must have been
// sorted by class; none for targets that are no classes. Where a class is known only by reading its
// record, it looks at some records from all places of each part. `where` and `remedy` are those of
// the warning.
std::optional<Finding> about_split_classes(const Model& model, const TrainingData& parts,
                                           const std::string& where, const std::string& remedy);

}  // namespace plimsoll
