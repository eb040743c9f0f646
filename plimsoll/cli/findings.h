// What a command noticed on its way: a line on standard error each, and kept for its log.
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
