// Runs as a table in plain text.
#pragma once

#include <span>
#include <string>

#include "plimsoll/report/run_list.h"

namespace plimsoll {

// One line per run, within so many columns (0: as wide as it comes): what matters least is left out
// first, then names are cut.
//
//   RUN     STATUS   EPOCHS  BEST             PEAK / PLANNED         TIME   STARTED
//   first   done       10/10  val_loss 0.3412  201.3 / 210.0 MiB    0:03:12  2026-01-31 12:00
std::string run_table(std::span<const RunSummary> runs, size_t columns);

}  // namespace plimsoll
