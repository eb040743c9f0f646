// plimsoll doctor RUN --repair: trains again with the options that the findings name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/guards/doctor/diagnosis.h"

namespace plimsoll::cli {

struct RepairRequest {
  std::string run, out;  // folders, as whole paths
  Diagnosis before;
  std::map<std::string, double> thresholds;
  bool json = false;
};

// Trains, at most four times as long as a new finding names an option, and prints the diagnosis of
// before and after. InvalidArgument if no finding has an option of train. A training that is
// refused is the last one: that is printed too, and is an error where there was none before it.
// Returns the exit code.
int repair(const RepairRequest& request, Findings& findings);

}  // namespace plimsoll::cli
