// Files of a run's folder, read as what they are: text that anybody may have written.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace plimsoll {

// Opens no link, pipe or device. IoError where it is no regular file.
// RUN/run.json, an object of at most 4 MiB; CorruptFile where it is not one.
nlohmann::ordered_json read_run_file(const std::string& run);

struct LogPart {
  int64_t next = 0;         // the byte after the last whole line that was taken
  bool is_cut = false;      // lines at the beginning were left out, for the log is too long
  bool has_shrunk = false;  // it has fewer bytes than `from`: the run went on from a checkpoint
};
// Calls `each` with every whole line of RUN/log.jsonl from byte `from` on that is at most 1 MiB
// long, until it returns false: that line is the next then. Of more than `most` bytes only the last
// ones are read. IoError where there is no log.
LogPart read_log_lines(const std::string& run, int64_t from, int64_t most,
                       const std::function<bool(std::string_view)>& each);

// The first line alone; empty where there is none.
std::string first_log_line(const std::string& run);

// The event of a line, an object with "event"; null if the line is something else.
nlohmann::ordered_json parse_event(std::string_view line);

}  // namespace plimsoll
