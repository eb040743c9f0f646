// The kinds of columns, and how one is made of its settings in a JSON file.
#pragma once

#include <string>

#include "plimsoll/data/encode/column_settings.h"
#include "plimsoll/data/encode/column_survey.h"

namespace plimsoll {

inline constexpr std::string_view kLeftOutKind = "left_out";

// "number, category, date, boolean, left_out".
std::string column_kinds_text();

// What a file says of one column: the name of a kind, or an object with "kind" and settings.
class ColumnChoice {
 public:
  // `where` is the file. CorruptFile, with the column, where it is neither.
  ColumnChoice(const std::string& where, const std::string& column,
               const nlohmann::ordered_json& json);

  const std::string& kind() const { return kind_; }
  bool has(const char* setting) const { return settings_.has(setting); }
  // Null if the column is left out. What the settings leave open is as the survey says, and learnt;
  // without a survey they must have all. CorruptFile for settings that cannot be.
  ColumnEncodingPtr encoding(const ColumnSurvey* survey, bool prefers_decimal_comma);
  // Of a column that is left out.
  const std::string& why() const { return why_; }

 private:
  std::string kind_, why_;
  ColumnSettings settings_;
};

// The encoding that most cells of a column ask for; none, with the reason, if they ask for none.
LearntColumn encoding_by_survey(const ColumnSurvey& survey, bool prefers_decimal_comma);

}  // namespace plimsoll
