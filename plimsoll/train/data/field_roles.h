// Which field of a record is which input, target and sample weight of a model.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/train/data/dataset.h"

namespace plimsoll {

struct FieldRoles {
  std::vector<int> inputs;   // one per input
  std::vector<int> targets;  // one per output; -1: it has none
  std::vector<int> weights;  // one per output; -1: its samples count alike

  bool operator==(const FieldRoles&) const = default;
};

// The sides of a model that fields are matched with.
struct ModelSides {
  std::string owner;  // begins an error
  std::vector<std::string> inputs, outputs;
  std::vector<bool> needs_target;  // one per output: true if it has a loss
};

// InvalidArgument where a name is not known, or fields are too many or missing.
FieldRoles roles_of(const Specs& fields, const FieldMeaning& meaning, const ModelSides& sides);
// Only the inputs are asked for; there may be more fields.
FieldRoles input_roles(const Specs& fields, const FieldMeaning& meaning, const ModelSides& sides);

// What a person calls the fields, "x" and "y" where there is one input or output. `count` is how
// many there are; those without a role have an empty name.
std::vector<std::string> field_names(size_t count, const FieldRoles& roles,
                                     const ModelSides& sides);

}  // namespace plimsoll
