// FieldsToLookAt: which field of a record is what, and how an input meets the first weights.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

struct FieldsToLookAt {
  struct Input {
    std::string name;
    int field = 0;
    bool meets_weights = false;
    bool is_table = false;         // its numbers are rows of a table: how near two are says nothing
    double scale = 1, offset = 0;  // what the model does to the numbers before
  };
  std::vector<Input> inputs;
  std::vector<int> targets;  // one per output; -1: it has none
};

}  // namespace plimsoll
