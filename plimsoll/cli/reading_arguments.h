// The options that say how data is read while a model runs, and what is done about bad records.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "plimsoll/data/kinds/data_options.h"
#include "plimsoll/train/data/reading_options.h"

namespace plimsoll::cli {

struct ReadingArguments {
  std::string on_bad = {};  // empty: fail, or repair where the model was trained so
  double max_bad = 0.01;
  std::string repair_with = "mean";
  std::optional<int> workers;
  bool allow_nan = false;

  bool is_repair() const { return on_bad == "repair"; }
  bool is_skip() const { return on_bad == "skip"; }
};

void add_reading(CLI::App& app, ReadingArguments& arguments);
// Of a model that is trained: --on-bad-record, --max-bad and --allow-nan.
void add_bad_records(CLI::App& app, ReadingArguments& arguments);
ReadingOptions reading_options(const ReadingArguments& arguments);
// With what a trained model has learnt to repair with. WrongUsage if that is asked for and it
// has learnt none.
ReadingOptions reading_options(const ReadingArguments& arguments, const DataOptions& options);

// Opens tables so that bad records are left to these options.
void use(const ReadingArguments& arguments, DataOptions& options);

}  // namespace plimsoll::cli
