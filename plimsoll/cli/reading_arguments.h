// The options that say how data is read while a model runs, and what is done about bad records.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "plimsoll/train/data/reading_options.h"

namespace plimsoll::cli {

struct ReadingArguments {
  std::string on_bad = "fail";
  double max_bad = 0.01;
  std::string repair_with = "mean";
  std::optional<int> workers;
  bool allow_nan = false;

  bool is_repair() const { return on_bad == "repair"; }
};

void add_reading(CLI::App& app, ReadingArguments& arguments);
ReadingOptions reading_options(const ReadingArguments& arguments);

}  // namespace plimsoll::cli
