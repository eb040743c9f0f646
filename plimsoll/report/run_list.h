// The runs in a folder, for 'plimsoll runs' and the pages of 'plimsoll serve'. Folders are not
// trusted: what is read of each is bounded, and what is damaged is said, never thrown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct RunSummary {
  std::string
      name;  // the path of its folder from the folder that was asked for; "." is that folder
  // "running", "done", "stopped", "failed"; "killed": its process is gone without a word;
  // "damaged": run.json cannot be read.
  std::string status;
  std::string why = {};      // why it was stopped, failed or is damaged
  std::string started = {};  // "2026-01-31T12:00:00Z"; empty where it is not known
  double seconds = 0;        // that it has taken; of a killed run until its last line
  int64_t epochs = 0, planned_epochs = 0;
  std::string metric = {};  // by which the best epoch is known; empty: no epoch is done
  double best = 0;
  int64_t best_epoch = 0;  // from 1
  int64_t planned_peak_bytes = 0, measured_peak_bytes = 0;
  // No peak is known, as of a run that was killed: measured_peak_bytes is the most that the log has
  // of the ends of epochs.
  bool is_peak_of_epochs = false;
  int64_t restarts = 0;
  std::optional<int> process = {};  // of a running one
};

// The folder itself, or those below it up to three levels deep, that have a run.json; links are not
// followed. The newest first, at most 1,000. IoError where the folder cannot be read.
std::vector<RunSummary> list_runs(const std::string& folder = ".");

// The same again and again: of logs that are known, only what is new is read.
class KnownLogs;
std::vector<RunSummary> list_runs(const std::string& folder, KnownLogs& known);

// One of them: `path` is its folder. Nothing is thrown.
RunSummary summarize_run(const std::string& path, std::string name, KnownLogs& known);

}  // namespace plimsoll
