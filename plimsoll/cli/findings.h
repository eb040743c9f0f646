// What a command noticed while it ran. Each finding is printed on standard error and kept for the
// log.
#pragma once

#include <vector>

#include "plimsoll/base/finding.h"

namespace plimsoll::cli {

class Findings {
 public:
  void add(const Finding& finding);
  const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
};

}  // namespace plimsoll::cli
