// ColumnSurvey: counts what the cells of a column look like, and says what most of them are.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "plimsoll/data/encode/date_format.h"
#include "plimsoll/data/encode/number_format.h"

namespace plimsoll {

class ColumnSurvey {
 public:
  // A column is of numbers (or of dates) if at least four in five of its cells are; others are then
  // bad.
  static constexpr double kMost = 0.8;

  void add(std::string_view cell);

  // What most cells are. A column is boolean if all its cells are words for yes and no; text if it
  // is nothing else; unclear if it is numbers in several units, or dates in an order that no cell
  // shows.
  enum class Kind { number, date, boolean, text, unclear, empty };
  struct Result {
    Kind kind = Kind::text;
    std::string note = {};  // a doubt, or why it is unclear
  };
  // `prefers_decimal_comma`: of a number such as 1,234 in a column that has no other.
  Result result(bool prefers_decimal_comma) const;

  // How the numbers, and the dates, of the column are written: as most of them are.
  NumberFormat number_format(bool prefers_decimal_comma) const;
  DateFormat date_format() const;

  int64_t cells() const { return cells_; }  // that are not gaps
  int64_t gaps() const { return gaps_; }

 private:
  struct NumberCounts {
    std::array<int64_t, kNumberMarks.size()> read = {}, grouped = {};
    int64_t ambiguous = 0;     // that a decimal point and a decimal comma read otherwise
    std::string example = {};  // of these
    int64_t most() const;
  };
  struct DateCounts {
    int64_t read = 0, with_time = 0;
    char mark = 0;  // of the first
  };
  struct BestNumber {
    std::string_view unit;
    size_t marks = 0;
    int64_t read = 0, all = 0;  // all: in any unit
    bool is_doubtful = false;
  };

  // True if it is one.
  bool add_number(std::string_view cell);
  bool add_dates(std::string_view cell);
  BestNumber best_number(bool prefers_decimal_comma) const;
  std::string doubt(const BestNumber& number, bool prefers_decimal_comma) const;
  size_t best_date() const;
  bool is_order_unclear() const;

  int64_t cells_ = 0, gaps_ = 0, booleans_ = 0;
  std::map<std::string, NumberCounts, std::less<>> numbers_;  // by unit
  std::array<DateCounts, kDateOrders.size()> dates_ = {};
  std::string first_text_, first_date_;  // the first cell that is no number and no date; a date
};

}  // namespace plimsoll
