// How the dates and times of a column are written: 2024-12-31, 31.12.2024, 12/31/2024 23:59.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

// A moment, as the cell says it; a cell with an offset from UTC is turned into UTC.
struct DateTime {
  int64_t day = 0;    // since 1970-01-01
  double second = 0;  // of the day
  bool operator==(const DateTime&) const = default;
};

struct CalendarDate {
  int year = 1970, month = 1, day = 1;
  int weekday = 0;  // 0: Monday
};
CalendarDate calendar_date(int64_t day);

struct DateFormat {
  // In which order year, month and day come; `time`: there are only hours and minutes.
  enum class Order { ymd, dmy, mdy, time } order = Order::ymd;
  char mark = '-';        // between them: a hyphen, a slash or a point
  bool has_time = false;  // some cells have a time after the date
  bool operator==(const DateFormat&) const = default;
};
inline constexpr std::array kDateOrders = {DateFormat::Order::ymd, DateFormat::Order::dmy,
                                           DateFormat::Order::mdy, DateFormat::Order::time};

// "ymd", "dmy", "mdy", "time"; none for another text.
std::string_view to_string(DateFormat::Order order);
std::optional<DateFormat::Order> date_order(std::string_view text);

struct ReadDate {
  DateTime moment = {};
  char mark = 0;
  bool has_time = false;
};

// None if the text is not a date in this order. The year has four digits; marks are two of the
// same; points never go with mdy. A time follows after a space or a T: 9:05, 09:05:30.25, 9:05 PM;
// after ymd also with Z or an offset, +02:00.
std::optional<ReadDate> parse_date(std::string_view text, DateFormat::Order order);

// What parse_date() reads as the same moment, to the second.
std::string format_date(const DateTime& moment, const DateFormat& format);

}  // namespace plimsoll
