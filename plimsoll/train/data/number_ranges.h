// Which numbers a model has a place for: classes of its outputs, rows of its tables of words.
#pragma once

#include <vector>

#include "plimsoll/data/check/numbers_in_range.h"
#include "plimsoll/nn/losses/loss.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/train/data/field_roles.h"

namespace plimsoll {

// One for each of the `fields` of a record that holds words or class numbers. `losses`: one for
// each output; an undefined one asks for nothing.
std::vector<NumberRange> number_ranges(const Network& network, const std::vector<Loss>& losses,
                                       const Specs& fields, const FieldRoles& roles);

}  // namespace plimsoll
