#include "plimsoll/cli/findings.h"

#include "plimsoll/cli/output.h"

namespace plimsoll::cli {

void Findings::add(const Finding& finding) {
  print_message(to_string(finding));
  all_.push_back(finding);
}

}  // namespace plimsoll::cli
