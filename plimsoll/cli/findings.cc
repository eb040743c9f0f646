#include "plimsoll/cli/findings.h"

#include <cstdio>

namespace plimsoll::cli {

void Findings::add(const Finding& finding) {
  std::fprintf(stderr, "plimsoll: %s\n", to_string(finding).c_str());
  all_.push_back(finding);
}

}  // namespace plimsoll::cli
