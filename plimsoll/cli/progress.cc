#include "plimsoll/cli/progress.h"

#include <utility>

namespace plimsoll::cli {

Callbacks moving_line() {
  const TerminalStyle style = terminal_style(stderr);
  if (!style.is_live) return {};
  return {std::make_shared<ConsoleProgress>(stderr, style)};
}

std::shared_ptr<ConsoleProgress> epoch_lines(bool json, Monitored monitored) {
  if (!json) return std::make_shared<ConsoleProgress>(std::move(monitored));
  const TerminalStyle style = terminal_style(stderr);
  if (!style.is_live) return nullptr;
  return std::make_shared<ConsoleProgress>(stderr, style, std::move(monitored));
}

}  // namespace plimsoll::cli
