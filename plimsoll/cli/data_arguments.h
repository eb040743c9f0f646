// The data that a command is given, and the options that say how it is read.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/data/kinds/data_options.h"

namespace plimsoll::cli {

struct DataArguments {
  std::string path;
  std::string target, ignored, image_size, classes, features;
  std::string array;  // convert's
  std::optional<double> missing;
  std::optional<int64_t> window, horizon, stride;
  bool header = false, no_header = false;
  std::string encode;  // train's and check's
  std::string interpolation = "bilinear";
  bool crop = false, pad = false, fast_decode = false;
};

// DATA.
void add_data(CLI::App& app, DataArguments& arguments);
// How it is read.
void add_data_options(CLI::App& app, DataArguments& arguments);

// --encode, of commands that may learn an encoding.
void add_encode(CLI::App& app, DataArguments& arguments);

// `findings` must outlive the options. WrongUsage where one is given that the data does not take.
DataOptions data_options(const DataArguments& arguments, Findings& findings);

// Those that --classes names, or that are in classes.json beside the model; none otherwise.
std::vector<std::string> classes_for(const DataArguments& arguments, const std::string& model);
// As data_options(), with what is kept beside the model: its classes, and the columns of its table.
DataOptions data_options_for(const std::string& model, const DataArguments& arguments,
                             Findings& findings);

}  // namespace plimsoll::cli
