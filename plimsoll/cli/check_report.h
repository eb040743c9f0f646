// What `plimsoll check` prints.
#pragma once

#include "plimsoll/cli/check_result.h"

namespace plimsoll::cli {

void print_as_json(const CheckResult& result);
// Counts by reason with the first records of each, and the option that deals with them.
void print_as_table(const CheckResult& result);

}  // namespace plimsoll::cli
