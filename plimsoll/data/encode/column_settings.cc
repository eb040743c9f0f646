#include "plimsoll/data/encode/column_settings.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/encode/cell_text.h"

namespace plimsoll {

ColumnSettings::ColumnSettings(std::string where, nlohmann::ordered_json json)
    : where_(std::move(where)), json_(std::move(json)) {
  if (!json_.is_object()) refuse("expected the name of a kind, or an object with its settings");
}

std::optional<std::string> ColumnSettings::text(const char* key) {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) refuse(std::string(key) + " expected text");
  return value->get<std::string>();
}

std::optional<double> ColumnSettings::number(const char* key) {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number() || !std::isfinite(value->get<double>()))
    refuse(std::string(key) + " expected a number");
  return value->get<double>();
}

std::optional<bool> ColumnSettings::flag(const char* key) {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) refuse(std::string(key) + " expected true or false");
  return value->get<bool>();
}

std::optional<std::vector<std::string>> ColumnSettings::texts(const char* key) {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array()) refuse(std::string(key) + " expected a list of texts");
  std::vector<std::string> texts;
  std::set<std::string> seen;
  for (const auto& item : *value) {
    if (!item.is_string()) refuse(std::string(key) + " expected a list of texts");
    texts.push_back(item.get<std::string>());
    if (texts.back().size() > kMostTextBytes)
      refuse(std::string(key) + " has a text of more than 256 bytes");
    if (!seen.insert(texts.back()).second)
      refuse(std::string(key) + " has '" + shown_cell(texts.back()) + "' twice");
  }
  return texts;
}

std::optional<Gaps> ColumnSettings::gaps() {
  const auto name = text("gaps");
  if (!name) return std::nullopt;
  const auto gaps = gaps_from(*name);
  if (!gaps) refuse("gaps expected fill, indicate or refuse, found '" + shown_cell(*name) + "'");
  return gaps;
}

void ColumnSettings::refuse_rest() const {
  for (const auto& [key, value] : json_.items())
    if (key != "kind" && std::ranges::find(known_, key) == known_.end())
      refuse("has the unknown key '" + shown_cell(key) + "'");
}

void ColumnSettings::refuse(const std::string& what) const {
  throw CorruptFile(where_ + ": " + what);
}

const nlohmann::ordered_json* ColumnSettings::find(const char* key) {
  known_.emplace_back(key);
  const auto found = json_.find(key);
  return found == json_.end() ? nullptr : &*found;
}

}  // namespace plimsoll
