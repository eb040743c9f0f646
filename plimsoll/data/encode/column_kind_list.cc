#include "plimsoll/data/encode/column_kind_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "plimsoll/data/encode/boolean_column.h"
#include "plimsoll/data/encode/category_column.h"
#include "plimsoll/data/encode/cell_text.h"
#include "plimsoll/data/encode/date_column.h"
#include "plimsoll/data/encode/number_column.h"

namespace plimsoll {
namespace {

struct ColumnKind {
  std::string_view name;
  ColumnEncodingPtr (*make)(ColumnSettings& settings, const ColumnSurvey* survey,
                            bool prefers_decimal_comma);
};

constexpr std::array kColumnKinds = {
    ColumnKind{"number", number_column},
    ColumnKind{"category", [](ColumnSettings& settings, const ColumnSurvey* survey,
                              bool) { return category_column(settings, survey == nullptr); }},
    ColumnKind{"date", [](ColumnSettings& settings, const ColumnSurvey* survey,
                          bool) { return date_column(settings, survey); }},
    ColumnKind{"boolean", [](ColumnSettings& settings, const ColumnSurvey* survey,
                             bool) { return boolean_column(settings, survey == nullptr); }},
};

}  // namespace

std::string column_kinds_text() {
  std::string text;
  for (const ColumnKind& kind : kColumnKinds) text += std::string(kind.name) + ", ";
  return text + std::string(kLeftOutKind);
}

ColumnChoice::ColumnChoice(const std::string& where, const std::string& column,
                           const nlohmann::ordered_json& json)
    : settings_(fmt::format("{}: column '{}'", where, shown_cell(column)),
                json.is_string() ? nlohmann::ordered_json{{"kind", json}} : json) {
  kind_ = settings_.text("kind").value_or("");
  const bool is_known =
      kind_ == kLeftOutKind ||
      std::ranges::find(kColumnKinds, kind_, &ColumnKind::name) != kColumnKinds.end();
  if (!is_known)
    settings_.refuse(fmt::format("expected a kind among {}, found '{}'", column_kinds_text(),
                                 shown_cell(kind_)));
}

ColumnEncodingPtr ColumnChoice::encoding(const ColumnSurvey* survey, bool prefers_decimal_comma) {
  ColumnEncodingPtr made;
  const auto* kind = std::ranges::find(kColumnKinds, kind_, &ColumnKind::name);
  if (kind != kColumnKinds.end())
    made = kind->make(settings_, survey, prefers_decimal_comma);
  else
    why_ = settings_.text("why").value_or("the settings say so");
  settings_.refuse_rest();
  return made;
}

LearntColumn encoding_by_survey(const ColumnSurvey& survey, bool prefers_decimal_comma) {
  const auto [kind, note] = survey.result(prefers_decimal_comma);
  switch (kind) {
    case ColumnSurvey::Kind::number:
      return {number_column(
                  {.format = survey.number_format(prefers_decimal_comma), .chooses_gaps = true}),
              note};
    case ColumnSurvey::Kind::date:
      return {date_column({.format = survey.date_format(), .chooses_gaps = true}), note};
    case ColumnSurvey::Kind::boolean:
      return {boolean_column({.chooses_gaps = true}), note};
    case ColumnSurvey::Kind::text:
      return {category_column({.chooses_gaps = true, .leaves_out_names = true}), note};
    case ColumnSurvey::Kind::unclear:
    case ColumnSurvey::Kind::empty:
      break;
  }
  return {nullptr, note};
}

}  // namespace plimsoll
