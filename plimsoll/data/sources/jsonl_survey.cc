#include "plimsoll/data/sources/jsonl_survey.h"

#include <algorithm>
#include <optional>

#include "plimsoll/formats/tables/csv_value.h"

namespace plimsoll {
namespace {

constexpr int64_t kLinesForKeys = 1000;

// The values of a key in the first lines.
struct KeySurvey {
  int64_t texts = 0, numbers = 0;
  JsonValue text, number;  // the first of each
};

void look_at(const JsonValue& given, KeySurvey& key) {
  JsonValue room;
  const JsonValue& value = as_number(given, room);
  if (value.kind == JsonValue::Kind::text && key.texts++ == 0) key.text = value;
  if (value.kind == JsonValue::Kind::numbers && key.numbers++ == 0) key.number = value;
}

void count_text(const std::string& text, int64_t record, TargetSurvey& survey) {
  ++survey.text_records;
  if (survey.texts.size() > kMostClasses && !survey.texts.contains(text)) return;
  const auto [found, is_new] = survey.texts.try_emplace(text);
  if (is_new) found->second.first = record;
  ++found->second.records;
}

}  // namespace

JsonLine typical_line(const JsonLines& lines) {
  JsonLine typical;
  std::map<std::string, KeySurvey, std::less<>> found;
  int64_t good = 0;
  for (int64_t record = 0; record < lines.size() && good < kLinesForKeys; ++record) {
    const std::optional<JsonLine> line = lines.parse_if_good(record);
    if (!line) continue;
    ++good;
    for (const std::string& key : line->keys) {
      const auto [survey, is_new] = found.try_emplace(key);
      if (is_new) typical.keys.push_back(key);
      look_at((*line)[key], survey->second);
    }
  }
  if (good == 0) throw InvalidArgument(lines.path() + ": has no line that is an object of JSON");
  for (auto& [key, survey] : found)
    typical.values.emplace(key,
                           std::move(survey.texts > survey.numbers ? survey.text : survey.number));
  return typical;
}

const JsonValue& as_number(const JsonValue& value, JsonValue& room) {
  if (value.kind != JsonValue::Kind::text) return value;
  const CsvValue parsed = parse_csv_value(value.text);
  if (parsed.kind == CsvValue::Kind::text) return value;
  room = {};
  if (parsed.kind == CsvValue::Kind::missing) return room;
  room.kind = JsonValue::Kind::numbers;
  room.numbers = {parsed.number};
  room.are_whole = parsed.kind == CsvValue::Kind::integer;
  return room;
}

TargetSurvey survey_target(const JsonLines& lines, const std::string& key,
                           bool quotes_hold_numbers) {
  TargetSurvey survey;
  JsonValue room;
  for (int64_t record = 0; record < lines.size(); ++record) {
    const std::optional<JsonLine> line = lines.parse_if_good(record);
    if (!line) continue;
    const JsonValue& given = (*line)[key];
    const JsonValue& value = as_number(given, room);
    if (value.kind == JsonValue::Kind::missing) continue;
    if (value.kind == JsonValue::Kind::text ||
        (given.kind == JsonValue::Kind::text && !quotes_hold_numbers)) {
      count_text(given.text, record, survey);
      continue;
    }
    ++survey.number_records;
    survey.are_whole = survey.are_whole && value.are_whole;
    for (const double number : value.numbers) {
      survey.least = std::min(survey.least, number);
      survey.largest = std::max(survey.largest, number);
    }
  }
  return survey;
}

}  // namespace plimsoll
