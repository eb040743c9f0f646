// Checks that an op is found again by what it is made with, and only by that.
#pragma once

#include "plimsoll/graph/op.h"

namespace plimsoll::testing {

// Changes each attribute that the op describes, one at a time: the signature must change with it,
// and be as before when the attribute is. Names must be distinct and the JSON must parse.
void check_attributes(const Op& op);

}  // namespace plimsoll::testing
