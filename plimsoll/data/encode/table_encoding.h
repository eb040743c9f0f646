// TableEncoding: how the columns of a table become numbers. It is learnt from training records,
// saved with the model, and used the same on every other table.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/encode/column_encoding.h"

namespace plimsoll {

struct EncodedColumn {
  std::string name;
  ColumnEncodingPtr encoding;  // null: the column is left out
  std::string why = {};        // it is left out
};

struct TableEncoding {
  std::vector<EncodedColumn> columns = {};  // in the order of the table

  // Null where the table had no such column, or it is left out.
  ColumnEncodingPtr find(std::string_view column) const;
  bool leaves_out(std::string_view column) const;
  // How many numbers these columns become; one that is not encoded is one.
  int64_t width(std::span<const std::string> names) const;
  // "age 2, sex 2, fare 1".
  std::string widths_text(std::span<const std::string> names) const;

  // An object: for each column its kind and settings.
  nlohmann::ordered_json to_json() const;
  // What to_json() has made. CorruptFile, beginning with `where`, for anything else.
  static TableEncoding from_json(const nlohmann::ordered_json& json, const std::string& where);
};
using TableEncodingPtr = std::shared_ptr<const TableEncoding>;

// A file that says of some columns how they become numbers; CorruptFile where it is none. For each
// column it has the name of a kind ("category"), or an object with "kind" and some of the settings
// that to_json() writes: what they leave open is learnt.
nlohmann::ordered_json read_encode_file(const std::string& path);

struct LearnTable {
  std::string path;                           // of the table; it begins every error
  std::vector<std::string> inputs;            // columns
  std::vector<std::string> targets;           // columns; their numbers are never scaled
  nlohmann::ordered_json* choices = nullptr;  // of read_encode_file(); null: all by themselves
  std::string choices_path = {};
  bool prefers_decimal_comma = false;  // where 1,234 may be either
  std::function<void(const Finding&)> announce = {};
};

// Calls back with the cells of each training record: of the inputs, then of the targets.
using VisitCells = std::function<void(std::span<const std::string_view> cells)>;
using ForEachRecord = std::function<void(const VisitCells& visit)>;

// Reads the records twice. What a person should know is announced: columns that are left out, and
// doubts. A target is encoded only if its numbers are not written as programs write them.
// InvalidArgument where a choice is for no column of the table, or cannot be.
TableEncoding learn_encoding(const LearnTable& table, const ForEachRecord& records);

}  // namespace plimsoll
