// KnownLogs: what a list of runs shows of their logs, so that who looks every second reads only
// what was added since.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace plimsoll {

struct LogSummary {
  std::string started = {};    // "2026-01-31T12:00:00Z"; empty where it is not known
  std::string last_time = {};  // that of the last line
  int64_t epochs = 0;
  int64_t resident_bytes = 0;  // the most at the end of an epoch
  std::string metric = {};     // by which the best epoch is known; empty: no epoch is done
  double best = 0;
  int64_t best_epoch = 0;  // from 1
  int64_t next = 0;        // the byte after what was read
};

class KnownLogs {
 public:
  // Of RUN/log.jsonl, of which the last 8 MiB are read. What was read of this file before is not
  // read again, unless the file has become shorter. IoError where there is no log. Any thread may
  // call it.
  LogSummary read(const std::string& run);

 private:
  std::mutex mutex_;
  std::map<std::pair<dev_t, ino_t>, LogSummary> known_;
};

}  // namespace plimsoll
