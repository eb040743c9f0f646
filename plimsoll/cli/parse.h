// Reading of a command's arguments with CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "plimsoll/cli/command_list.h"

namespace plimsoll::cli {

// Reads the arguments into what the app's options point at. Returns false if help was asked for and
// printed. Throws WrongUsage with one sentence about what is wrong.
bool parse(CLI::App& app, Arguments arguments);

// What an option's value must be; the message of WrongUsage says so.
CLI::Validator count();         // a whole number from 1 on
CLI::Validator integer();       // a whole number
CLI::Validator number();        // any number
CLI::Validator positive();      // a number above 0
CLI::Validator fraction();      // a number between 0 and 1
CLI::Validator percentage();    // a number above 0, at most 100
CLI::Validator not_negative();  // a number from 0 on
CLI::Validator size();          // of memory: 512M, 75%

// "a,b" -> {"a", "b"}
std::vector<std::string> split_commas(const std::string& text);

// Numbers separated by commas or x: "224,224,3", "224x224". Throws WrongUsage unless all are 1 or
// more.
std::vector<int64_t> parse_shape(const std::string& text);

}  // namespace plimsoll::cli
