// LiveEvents: what happens in a run, for one page that is open: the lines of its log as they come,
// as server-sent events. What a page does not show is left out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "plimsoll/cli/serve/run_door.h"
#include "plimsoll/report/known_logs.h"

namespace plimsoll::serve {

class LiveEvents {
 public:
  // From the byte of the log on that the page has seen.
  LiveEvents(std::string name, int64_t from, std::shared_ptr<KnownLogs> logs)
      : name_(std::move(name)), next_(from), logs_(std::move(logs)) {}

  // The events since the last call; empty where nothing happened. At most 4 MiB.
  std::string poll(const RunDoor& run);

 private:
  std::string name_;
  int64_t next_;
  std::shared_ptr<KnownLogs> logs_;
  std::string status_;  // that was sent last
};

// What a page is sent of a line of a log, as JSON; empty where that is nothing.
std::string shown_event(std::string_view line);

}  // namespace plimsoll::serve
