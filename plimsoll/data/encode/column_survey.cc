#include "plimsoll/data/encode/column_survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/data/encode/boolean_words.h"
#include "plimsoll/data/encode/cell_text.h"

namespace plimsoll {
namespace {

using Order = DateFormat::Order;

constexpr size_t kPoint = 0, kComma = 1;  // of kNumberMarks
constexpr auto kDayFirst = static_cast<size_t>(Order::dmy);
constexpr auto kMonthFirst = static_cast<size_t>(Order::mdy);

NumberFormat format_of(size_t marks, std::string_view unit) {
  return {kNumberMarks[marks][0], kNumberMarks[marks][1], std::string(unit)};
}

}  // namespace

int64_t ColumnSurvey::NumberCounts::most() const {
  return std::ranges::max(read);
}

void ColumnSurvey::add(std::string_view cell) {
  if (is_gap(cell)) {
    ++gaps_;
    return;
  }
  cell = trimmed(cell);
  ++cells_;
  if (boolean_word(cell)) ++booleans_;
  const bool is_number = add_number(cell), is_date = add_dates(cell);
  if (is_date && first_date_.empty()) first_date_ = shown_cell(cell);
  if (!is_date && !is_number && first_text_.empty()) first_text_ = shown_cell(cell);
}

bool ColumnSurvey::add_number(std::string_view cell) {
  const std::string_view unit = known_unit(cell);
  std::array<std::optional<ReadNumber>, kNumberMarks.size()> read;
  for (size_t i = 0; i < read.size(); ++i) read[i] = parse_number(cell, format_of(i, unit));
  if (std::ranges::none_of(read, [](const auto& number) { return number.has_value(); }))
    return false;
  NumberCounts& counts = numbers_[std::string(unit)];
  for (size_t i = 0; i < read.size(); ++i) {
    if (!read[i]) continue;
    ++counts.read[i];
    if (read[i]->is_grouped) ++counts.grouped[i];
  }
  // 1.234 is what programs write for a little more than one; 1,234 may be either.
  const bool is_ambiguous = read[kPoint] && read[kComma] && read[kPoint]->is_grouped &&
                            read[kPoint]->value != read[kComma]->value;
  if (is_ambiguous && counts.ambiguous++ == 0) counts.example = shown_cell(cell);
  return true;
}

bool ColumnSurvey::add_dates(std::string_view cell) {
  bool is_date = false;
  for (size_t i = 0; i < dates_.size(); ++i) {
    const auto read = parse_date(cell, kDateOrders[i]);
    if (!read) continue;
    is_date = true;
    if (dates_[i].read++ == 0) dates_[i].mark = read->mark;
    if (read->has_time) ++dates_[i].with_time;
  }
  return is_date;
}

ColumnSurvey::BestNumber ColumnSurvey::best_number(bool prefers_decimal_comma) const {
  BestNumber best;
  for (const auto& [unit, counts] : numbers_) {
    best.all += counts.most();
    if (counts.most() <= best.read) continue;
    best.read = counts.most();
    best.unit = unit;
    best.marks = static_cast<size_t>(std::ranges::max_element(counts.read) - counts.read.begin());
    best.is_doubtful = counts.read[kPoint] == counts.read[kComma] && counts.ambiguous > 0;
    if (best.is_doubtful && best.marks == kPoint && prefers_decimal_comma) best.marks = kComma;
  }
  return best;
}

size_t ColumnSurvey::best_date() const {
  return static_cast<size_t>(std::ranges::max_element(dates_, {}, &DateCounts::read) -
                             dates_.begin());
}

bool ColumnSurvey::is_order_unclear() const {
  const DateCounts &day_first = dates_[kDayFirst], &month_first = dates_[kMonthFirst];
  return best_date() == kDayFirst && day_first.read == month_first.read;
}

std::string ColumnSurvey::doubt(const BestNumber& number, bool prefers_decimal_comma) const {
  const std::string& example = numbers_.find(number.unit)->second.example;
  const auto as = [&](size_t marks) {
    const auto read = parse_number(example, format_of(marks, number.unit));
    return format_number(read ? read->value : 0, {});
  };
  return fmt::format(
      "has numbers such as '{}', and no other shows whether this is {} or {}; it is taken for {} "
      "(a "
      "file for --encode can say \"decimal\": \"{}\")",
      example, as(kPoint), as(kComma), as(number.marks), prefers_decimal_comma ? '.' : ',');
}

ColumnSurvey::Result ColumnSurvey::result(bool prefers_decimal_comma) const {
  if (cells_ == 0) return {Kind::empty, "has no value"};
  const auto all = static_cast<double>(cells_);
  const auto are_most = [&](int64_t count) { return static_cast<double>(count) >= kMost * all; };
  const BestNumber number = best_number(prefers_decimal_comma);
  const DateCounts& date = dates_[best_date()];
  if (are_most(number.read)) {
    if (!number.is_doubtful) return {Kind::number};
    return {Kind::number, doubt(number, prefers_decimal_comma)};
  }
  if (are_most(number.all))
    return {Kind::unclear, "has numbers in several units, and fewer than four in five in the same"};
  if (are_most(date.read) && is_order_unclear())
    return {
        Kind::unclear,
        fmt::format("has dates such as '{}', and no other shows whether the day or the month comes "
                    "first (a file for --encode can: \"order\": \"dmy\" or \"mdy\")",
                    first_date_)};
  if (are_most(date.read)) return {Kind::date};
  if (booleans_ == cells_) return {Kind::boolean};
  const int64_t likely = std::max(number.read, date.read);
  if (2 * likely <= cells_) return {Kind::text};
  return {Kind::text,
          fmt::format("has {} {} in {} cells, fewer than four in five, so all are taken "
                      "for text, as '{}' is",
                      likely, number.read >= date.read ? "numbers" : "dates", cells_, first_text_)};
}

NumberFormat ColumnSurvey::number_format(bool prefers_decimal_comma) const {
  const BestNumber best = best_number(prefers_decimal_comma);
  if (best.read == 0) return {};
  NumberFormat format = format_of(best.marks, best.unit);
  const NumberCounts& counts = numbers_.find(best.unit)->second;
  // A mark that no cell has would read a cell of another table, 1,234, as something else silently.
  if (counts.grouped[best.marks] == 0) format.thousands = 0;
  return format;
}

DateFormat ColumnSurvey::date_format() const {
  const size_t best = best_date();
  const DateCounts& counts = dates_[best];
  DateFormat format{.order = kDateOrders[best], .has_time = counts.with_time > 0};
  if (counts.mark != 0) format.mark = counts.mark;
  return format;
}

}  // namespace plimsoll
