// Errors about the value of an option.
#pragma once

#include <string>
#include <string_view>

#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {

// Calls `make`; an InvalidArgument of it becomes a WrongUsage about the option.
template <class Make>
auto from_option(const char* option, const Make& make) {
  try {
    return make();
  } catch (const InvalidArgument& error) {
    // "loss: 'x' is not known" says already what it is about.
    const std::string what = error.what(), about = what.substr(0, what.find(": "));
    const bool repeats = std::string_view(option).substr(2).starts_with(about);
    throw WrongUsage(option + (": " + what.substr(repeats ? about.size() + 2 : 0)));
  }
}

}  // namespace plimsoll::cli
