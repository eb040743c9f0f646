// Durations as people write them: "90s", "30m", "11h", "1h30m", "2d"; a number alone is seconds.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace plimsoll::cli {

// In seconds; none where the text is not a duration.
std::optional<double> parse_duration(const std::string& text);
// For options; the message of WrongUsage names what is expected.
CLI::Validator duration();

}  // namespace plimsoll::cli
