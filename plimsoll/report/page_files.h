// The files of plimsoll/report/page, which the build puts into the library.
#pragma once

#include <string_view>

namespace plimsoll {

// Of all pages: the style, and the script of the charts.
extern const std::string_view kPageStyle, kChartScript;
// Reports and comparisons: the frame with its marks, the script that makes their parts, which live
// pages have too, and the one that begins.
extern const std::string_view kReportHtml, kReportScript, kReportStart;
// The live pages of plimsoll serve.
extern const std::string_view kServeHtml, kServeScript;

}  // namespace plimsoll
