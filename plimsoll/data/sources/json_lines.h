// JsonLines: the lines of JSON-lines files, any of them at once.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/data/sources/file_set.h"
#include "plimsoll/data/sources/line_index.h"
#include "plimsoll/formats/tables/json_line.h"

namespace plimsoll {

class JsonLines {
 public:
  JsonLines(const std::vector<std::string>& paths, const JsonLineLimits& limits)
      : files_(paths, "jsonl_source"), limits_(limits) {
    for (size_t i = 0; i < files_.size(); ++i) index_.add_file(*files_.open(i), 0);
  }

  int64_t size() const { return index_.size(); }
  std::string name(int64_t record) const {
    const auto place = index_[record];
    return fmt::format("{}:{}", files_.path(place.file), place.line);
  }
  JsonLine parse(int64_t record) const {
    const auto place = index_[record];
    // One byte more, to know that there is one.
    const std::string line =
        read_line(*files_.open(place.file), place.offset, place.passed, limits_.line_bytes + 1);
    return parse_json_line(line, name(record), limits_);
  }
  std::optional<JsonLine> parse_if_good(int64_t record) const {
    try {
      return parse(record);
    } catch (const FlawedRecord&) {  // reading the record reports it
      return std::nullopt;
    }
  }
  const std::string& path() const { return files_.path(0); }

 private:
  FileSet files_;
  JsonLineLimits limits_;
  LineIndex index_;
};

}  // namespace plimsoll
