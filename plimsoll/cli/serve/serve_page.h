// The files of plimsoll/report/serve_page, which the build puts into the program.
#pragma once

#include <string_view>

namespace plimsoll::serve {

extern const std::string_view kIndexHtml, kPageCss, kPageJs, kChartJs;

}  // namespace plimsoll::serve
