#include "plimsoll/cli/reduce_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "plimsoll/report/terminal.h"

namespace plimsoll::cli {

ReduceProgressLine::ReduceProgressLine() : is_shown_(terminal_style(stderr).is_live) {}

ReduceProgressLine::~ReduceProgressLine() {
  if (width_ > 0) std::fputs(fmt::format("\r{:{}}\r", "", width_).c_str(), stderr);
}

void ReduceProgressLine::show(const ReduceProgress& now) {
  if (!is_shown_) return;
  std::string line =
      fmt::format("reduce  trying {}  {} records, {} layers left  {} trials  {:.0f} s", now.trying,
                  now.records, now.layers, now.trials, now.seconds);
  line = line.substr(0, std::max<size_t>(1, terminal_columns(stderr) - 1));
  std::fputs(fmt::format("\r{:<{}}", line, width_).c_str(), stderr);
  std::fflush(stderr);
  width_ = line.size();
}

}  // namespace plimsoll::cli
