// What `plimsoll check` advises to do about bad records: only what mends them.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/cli/check_result.h"

namespace plimsoll::cli {

// About the entries of one flaw, which are not empty. The sentence names options that, given to
// `plimsoll train`, deal with all bad records of the result, or says what to correct.
std::string remedy_of(const std::vector<const BadEntry*>& entries, const CheckResult& result);

}  // namespace plimsoll::cli
