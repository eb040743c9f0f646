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
// before and after. InvalidArgument where no finding has an option of train. Returns the exit code.
int repair(const RepairRequest& request, Findings& findings);

// The arguments of a command with an option in the place of what they had for it: "--epochs 40";
// "train without --no-shuffle" takes one away.
std::vector<std::string> with_option(std::vector<std::string> arguments, const std::string& option);

}  // namespace plimsoll::cli
