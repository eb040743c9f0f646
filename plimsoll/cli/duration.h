// Durations as options: "90s", "30m", "11h".
#pragma once

#include <CLI/CLI.hpp>

namespace plimsoll::cli {

// The message of WrongUsage names what is expected.
CLI::Validator duration();

}  // namespace plimsoll::cli
