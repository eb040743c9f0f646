#include "plimsoll/base/finding.h"

#include "plimsoll/base/printable.h"

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
  return printable(line);
}

}  // namespace plimsoll
