// The facts about data that the doctor's rules read.
#pragma once

#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/guards/doctor/case.h"

namespace plimsoll {

// Which field of a record is what, and how an input meets the first weights.
struct FieldsToLookAt {
  struct Input {
    std::string name;
    int field = 0;
    bool meets_weights = false;
    double scale = 1, offset = 0;  // what the model does to the numbers before
  };
  std::vector<Input> inputs;
  std::vector<int> targets;  // one per output; -1: it has none
};

// Reads some thousand records, evenly spread over all, fewer if they are large. Records that cannot
// be read are counted.
DataFacts data_facts(const Source& source, const FieldsToLookAt& fields);

}  // namespace plimsoll
