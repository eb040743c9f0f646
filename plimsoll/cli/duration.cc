#include "plimsoll/cli/duration.h"

#include <fmt/format.h>

#include "plimsoll/base/duration.h"

namespace plimsoll::cli {

CLI::Validator duration() {
  return CLI::Validator(
      [](std::string& text) {
        if (parse_duration(text)) return std::string();
        return fmt::format("expects a time such as 90s, 30m or 11h, found '{}'", text);
      },
      "");
}

}  // namespace plimsoll::cli
