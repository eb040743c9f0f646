// log.jsonl: what happens in a run, one JSON object per line, written as soon as it happens.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/base/finding.h"

namespace plimsoll {

class RunLog {
 public:
  // Begins an empty file, or goes on with the one that is there. IoError if it cannot be
  // written.
  enum class Mode { begin, go_on };
  explicit RunLog(const std::string& path, Mode mode = Mode::begin);

  // {"event": "epoch", "time": "2026-01-31T12:00:00Z", …} with what `fields`, an object, has.
  // Numbers that JSON does not know (NaN, infinity) become their names.
  void write(std::string_view event, const nlohmann::ordered_json& fields);
  void write(const Finding& finding);

  int64_t size() const { return size_; }
  // What was written, and the name that the file has by now, is on the disk when this returns.
  // IoError where the name leads to another file, or to none: it was moved or removed.
  void sync(const std::string& path);
  // Drops what comes after so many bytes. Where the file has fewer, lines are lost; that is
  // reported and no reason to lose the run.
  void cut(int64_t size);

 private:
  FileDescriptor file_;
  int64_t size_ = 0;
  std::string synced_name_;
};

// "2026-01-31T12:00:00Z"
std::string time_now();

// A number, or "nan", "inf", "-inf" where JSON has none.
nlohmann::ordered_json json_number(double value);
nlohmann::ordered_json json_numbers(const std::map<std::string, double>& values);

}  // namespace plimsoll
