// Pages: one HTML file that needs nothing else, with the data of runs in it.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/report/run_report.h"

namespace plimsoll {

// A page is never larger than this: what takes most is left out, and the page says so.
inline constexpr size_t kMostPageBytes = 2'000'000;

// The page of a run.
std::string report_page(const RunReport& report);
// One page for several runs: their curves in one picture, their differences marked.
std::string comparison_page(const std::vector<RunReport>& reports);

}  // namespace plimsoll
