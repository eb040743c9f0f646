// How a run ended, in one sentence.
#pragma once

#include <string>

#include "plimsoll/report/run_report.h"

namespace plimsoll {

// "Done: 3 epochs in 12 s; best val_loss 0.4271 in epoch 3; peak memory 28.2 MiB, planned 29.0
// MiB."
std::string outcome_sentence(const RunReport& report);

// "1 h 02 min", "3 min 20 s", "12 s", "0.4 s"
std::string duration_text(double seconds);

}  // namespace plimsoll
