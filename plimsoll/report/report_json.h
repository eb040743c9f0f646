// A RunReport as the script of a page reads it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/report/run_report.h"

namespace plimsoll {

// Series are thinned so that a page stays small whatever the
// run was: curves by the least and the largest of each bin, layers by neighbours.
nlohmann::ordered_json to_json(const RunReport& report);
// The same without the parts that only the page of a single run shows; `runs` share the page.
nlohmann::ordered_json comparison_json(const RunReport& report, size_t runs = 1);

}  // namespace plimsoll
