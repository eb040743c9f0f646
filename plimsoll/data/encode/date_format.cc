#include "plimsoll/data/encode/date_format.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "plimsoll/data/encode/cell_text.h"

namespace plimsoll {
namespace {

using Order = DateFormat::Order;

constexpr std::array<std::string_view, 4> kOrderNames = {"ymd", "dmy", "mdy", "time"};
constexpr size_t kMostDateBytes = 48;  // of a date with its time
constexpr double kDaySeconds = 86400;

// Reads a text from its beginning.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  // A number of `least` to `most` digits.
  std::optional<int> digits(size_t least, size_t most) {
    size_t count = 0;
    int value = 0;
    for (; count < most && count < rest_.size() && is_digit(rest_[count]); ++count)
      value = value * 10 + (rest_[count] - '0');
    if (count < least || (count < rest_.size() && is_digit(rest_[count]))) return std::nullopt;
    rest_.remove_prefix(count);
    return value;
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // One of the characters, or 0.
  char take_one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_[0]) == characters.npos) return 0;
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c;
  }
  // The digits after a point, as a part of one.
  double fraction() {
    double value = 0, place = 0.1;
    for (; !rest_.empty() && is_digit(rest_[0]); place /= 10, rest_.remove_prefix(1))
      value += place * (rest_[0] - '0');
    return value;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::string_view rest_;
};

std::optional<int64_t> day_of(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (year < 1 || !date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

bool read_day(DateReader& reader, Order order, ReadDate& into) {
  const bool is_year_first = order == Order::ymd;
  const auto first = is_year_first ? reader.digits(4, 4) : reader.digits(1, 2);
  if (!first) return false;
  into.mark = reader.take_one_of(order == Order::mdy ? "-/" : "-/.");
  const auto second = into.mark == 0 ? std::nullopt : reader.digits(1, 2);
  if (!second || !reader.take(into.mark)) return false;
  const auto third = is_year_first ? reader.digits(1, 2) : reader.digits(4, 4);
  if (!third) return false;
  std::optional<int64_t> day;
  if (order == Order::ymd) day = day_of(*first, *second, *third);
  if (order == Order::dmy) day = day_of(*third, *second, *first);
  if (order == Order::mdy) day = day_of(*third, *first, *second);
  if (!day) return false;
  into.moment.day = *day;
  return true;
}

// AM and PM, in either case.
bool read_half_of_day(DateReader& reader, int& hour) {
  reader.take(' ');
  const char half = reader.take_one_of("aApP");
  if (half == 0) return true;
  if (reader.take_one_of("mM") == 0 || hour < 1 || hour > 12) return false;
  hour = hour % 12 + (half == 'p' || half == 'P' ? 12 : 0);
  return true;
}

bool read_time(DateReader& reader, DateTime& into) {
  auto hour = reader.digits(1, 2);
  if (!hour || !reader.take(':')) return false;
  const auto minute = reader.digits(2, 2);
  double second = 0;
  if (minute && reader.take(':')) {
    const auto whole = reader.digits(2, 2);
    if (!whole) return false;
    second = *whole;
    if (reader.take('.')) second += reader.fraction();
  }
  if (!minute || !read_half_of_day(reader, *hour)) return false;
  if (*hour > 23 || *minute > 59 || second >= 60) return false;
  into.second = *hour * 3600.0 + *minute * 60.0 + second;
  return true;
}

// Z, or +02:00: turns the moment into UTC.
bool read_offset(DateReader& reader, DateTime& moment) {
  if (reader.take('Z')) return true;
  const char sign = reader.take_one_of("+-");
  if (sign == 0) return true;
  const auto hours = reader.digits(2, 2);
  if (!hours || !reader.take(':')) return false;
  const auto minutes = reader.digits(2, 2);
  if (!minutes || *hours > 14 || *minutes > 59) return false;
  moment.second -= (sign == '+' ? 1 : -1) * (*hours * 3600.0 + *minutes * 60.0);
  const double days = std::floor(moment.second / kDaySeconds);
  moment.day += static_cast<int64_t>(days);
  moment.second -= days * kDaySeconds;
  return true;
}

}  // namespace

CalendarDate calendar_date(int64_t day) {
  const std::chrono::sys_days days{std::chrono::days(day)};
  const std::chrono::year_month_day date(days);
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .day = static_cast<int>(static_cast<unsigned>(date.day())),
          .weekday = static_cast<int>(std::chrono::weekday(days).iso_encoding()) - 1};
}

std::string_view to_string(Order order) {
  return kOrderNames[static_cast<size_t>(order)];
}

std::optional<Order> date_order(std::string_view text) {
  for (const Order order : kDateOrders)
    if (text == to_string(order)) return order;
  return std::nullopt;
}

std::optional<ReadDate> parse_date(std::string_view text, Order order) {
  text = trimmed(text);
  if (text.size() > kMostDateBytes) return std::nullopt;
  DateReader reader(text);
  ReadDate read;
  if (order == Order::time) {
    read.has_time = true;
    return read_time(reader, read.moment) && reader.is_at_end() ? std::optional(read)
                                                                : std::nullopt;
  }
  if (!read_day(reader, order, read)) return std::nullopt;
  if (reader.is_at_end()) return read;
  if (reader.take_one_of(" T") == 0 || !read_time(reader, read.moment)) return std::nullopt;
  if (order == Order::ymd && !read_offset(reader, read.moment)) return std::nullopt;
  read.has_time = true;
  return reader.is_at_end() ? std::optional(read) : std::nullopt;
}

std::string format_date(const DateTime& moment, const DateFormat& format) {
  const auto seconds = static_cast<int64_t>(std::lround(moment.second));
  // A time that rounds up to midnight belongs to the next day.
  const CalendarDate date = calendar_date(moment.day + seconds / 86400);
  const int64_t left = seconds % 86400;
  const std::string time = fmt::format("{:02}:{:02}:{:02}", left / 3600, left / 60 % 60, left % 60);
  if (format.order == Order::time) return time;
  const std::string after = format.has_time ? " " + time : "";
  const char m = format.mark;
  if (format.order == Order::ymd)
    return fmt::format("{:04}{}{:02}{}{:02}{}", date.year, m, date.month, m, date.day, after);
  const int first = format.order == Order::dmy ? date.day : date.month;
  const int second = format.order == Order::dmy ? date.month : date.day;
  return fmt::format("{:02}{}{:02}{}{:04}{}", first, m, second, m, date.year, after);
}

}  // namespace plimsoll
