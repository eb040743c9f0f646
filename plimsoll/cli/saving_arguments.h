// --memory, and the options that say how a run may save memory.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "plimsoll/train/memory/saving_options.h"

namespace plimsoll::cli {

struct SavingArguments {
  std::string memory;
  SavingOptions saving;
};

// --memory alone.
void add_memory(CLI::App& app, std::string& memory, const std::string& what);

// `what` the memory is for: "all that the run may take".
void add_saving(CLI::App& app, SavingArguments& arguments, const std::string& what);

}  // namespace plimsoll::cli
