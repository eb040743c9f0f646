#include "plimsoll/cli/progress.h"

#include <unistd.h>

#include <memory>

#include "plimsoll/report/console_progress.h"

namespace plimsoll::cli {

Callbacks moving_line() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return {std::make_shared<ConsoleProgress>(stderr, true)};
}

Callbacks epoch_lines(bool json) {
  if (json) return moving_line();
  return {std::make_shared<ConsoleProgress>()};
}

}  // namespace plimsoll::cli
