// Durations as people write them: "90s", "30m", "11h", "1h30m", "2d"; a number alone is seconds.
#pragma once

#include <optional>
#include <string>

namespace plimsoll {

// In seconds; none where the text is not a duration.
std::optional<double> parse_duration(const std::string& text);

}  // namespace plimsoll
