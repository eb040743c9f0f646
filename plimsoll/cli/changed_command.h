// The arguments of `plimsoll train` with another option, as a finding of the doctor names it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

// True if a finding names an option that train has: "--epochs 40", "train without --no-shuffle".
bool is_option_of_train(std::string_view advice);

// The arguments of a command of train with what the advice names in the place of what they had for
// it, by whatever name and in whatever form that was given. WrongUsage where train does not take
// the arguments.
std::vector<std::string> with_advice(const std::vector<std::string>& arguments,
                                     const std::string& advice);
// With one option and its value.
std::vector<std::string> with_option(const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& option);

}  // namespace plimsoll::cli
