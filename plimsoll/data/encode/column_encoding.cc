#include "plimsoll/data/encode/column_encoding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/data/encode/cell_text.h"

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 3> kGapNames = {"fill", "indicate", "refuse"};

}  // namespace

std::string_view to_string(Gaps gaps) {
  return kGapNames[static_cast<size_t>(gaps)];
}

std::optional<Gaps> gaps_from(std::string_view text) {
  const auto* found = std::ranges::find(kGapNames, text);
  if (found == kGapNames.end()) return std::nullopt;
  return static_cast<Gaps>(found - kGapNames.begin());
}

CellState ColumnEncoding::encode(std::string_view cell, std::span<float> into) const {
  const auto own = into.first(static_cast<size_t>(own_width()));
  const bool is_a_gap = is_gap(cell);
  if (gaps_ == Gaps::indicate) into.back() = is_a_gap ? 1.0f : 0.0f;
  if (!is_a_gap) {
    const CellState state = encode_own(trimmed(cell), own);
    const bool is_finite = std::ranges::all_of(own, [](float x) { return std::isfinite(x); });
    return is_finite ? state : CellState::bad;
  }
  if (gaps_ == Gaps::refuse) return CellState::bad;
  fill_gap(own);
  return CellState::gap;
}

std::optional<std::string> ColumnEncoding::decode(std::span<const float> numbers) const {
  if (gaps_ == Gaps::indicate && numbers.back() > 0.5f) return "";
  return decode_own(numbers.first(static_cast<size_t>(own_width())));
}

std::string ColumnEncoding::number_name(int64_t number) const {
  return number < own_width() ? own_name(number) : " missing";
}

nlohmann::ordered_json ColumnEncoding::to_json() const {
  nlohmann::ordered_json json = {{"kind", kind()}};
  write(json);
  json["gaps"] = to_string(gaps_);
  return json;
}

}  // namespace plimsoll
