// What `plimsoll check` has found.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/check/check_report.h"
#include "plimsoll/data/encode/table_encoding.h"

namespace plimsoll::cli {

// Of all records that were looked at.
struct CheckResult {
  std::string path;  // of the data
  CheckReport data;
  // Of --validation, if there is one.
  bool has_validation = false;
  CheckReport validation = {};
  std::vector<CheckWarning> across = {};  // of both together
  // Of a table whose cells become numbers, and its targets.
  TableEncodingPtr encoding = {};
  std::vector<std::string> targets = {};

  bool has_bad() const { return !data.bad.empty() || !validation.bad.empty(); }
};

}  // namespace plimsoll::cli
