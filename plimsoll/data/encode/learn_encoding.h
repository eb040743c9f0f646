// Learns from the training records of a table how its columns become numbers.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/encode/table_encoding.h"

namespace plimsoll {

struct LearnTable {
  std::string path;                  // of the table; it begins every error
  std::vector<std::string> inputs;   // columns
  std::vector<std::string> targets;  // columns; their numbers are never scaled
  // JSON that says of some columns how they become numbers: the name of a kind ("category"), or an
  // object with "kind" and some of the settings that TableEncoding::to_json() writes; what they
  // leave open is learnt. Empty: all columns by themselves.
  std::string choices = {};
  std::string choices_path = {};       // begins errors about them
  bool prefers_decimal_comma = false;  // where 1,234 may be either
  std::function<void(const Finding&)> announce = {};
};

// Calls back with the cells of each training record: of the inputs, then of the targets. A visit
// that returns false has enough; calling it further does no harm.
using VisitCells = std::function<bool(std::span<const std::string_view> cells)>;
using ForEachRecord = std::function<void(const VisitCells& visit)>;

// Reads a few records, which show what a column is in nearly all tables, and then all of them; a
// third time if a column is something else in the end. What a person should know is announced:
// columns that are left out, and doubts. A target is encoded only if its numbers are not written as
// programs write them. CorruptFile where the choices are not such JSON; InvalidArgument where one
// is for no column of the table, or cannot be.
TableEncoding learn_encoding(const LearnTable& table, const ForEachRecord& records);

}  // namespace plimsoll
