#include "plimsoll/base/finding.h"

#include <algorithm>

namespace plimsoll {

std::string_view to_string(Finding::Severity severity) {
  switch (severity) {
    case Finding::Severity::note:
      return "note";
    case Finding::Severity::warning:
      return "warning";
    case Finding::Severity::error:
      return "error";
  }
  return "unknown severity";
}

std::string to_string(const Finding& finding) {
  std::string line(to_string(finding.severity));
  if (!finding.where.empty()) line += ": " + finding.where;
  line += ": " + finding.what;
  if (!finding.remedy.empty()) line += " (" + finding.remedy + ")";
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
  std::ranges::replace_if(line, is_control, ' ');
  return line;
}

}  // namespace plimsoll
