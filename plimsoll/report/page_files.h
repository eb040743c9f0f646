// The files of plimsoll/report/page, which the build puts into the program.
#pragma once

#include <string_view>

namespace plimsoll {

std::string_view page_html();
std::string_view page_style();
std::string_view page_script();

}  // namespace plimsoll
