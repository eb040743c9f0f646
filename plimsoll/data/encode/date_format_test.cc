#include "plimsoll/data/encode/date_format.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

using Order = DateFormat::Order;

std::optional<DateTime> moment_of(std::string_view text, Order order) {
  const auto read = parse_date(text, order);
  return read ? std::optional(read->moment) : std::nullopt;
}

constexpr int64_t kLastOf2024 = 20088;  // days from 1970-01-01 to 2024-12-31

TEST(DateFormat, ReadsEveryOrder) {
  const DateTime last{kLastOf2024, 0};
  EXPECT_EQ(moment_of("2024-12-31", Order::ymd), last);
  EXPECT_EQ(moment_of("2024/12/31", Order::ymd), last);
  EXPECT_EQ(moment_of("31.12.2024", Order::dmy), last);
  EXPECT_EQ(moment_of("31/12/2024", Order::dmy), last);
  EXPECT_EQ(moment_of("12/31/2024", Order::mdy), last);
  EXPECT_EQ(moment_of("1/2/1970", Order::dmy), (DateTime{31, 0}));
  EXPECT_EQ(moment_of("1/2/1970", Order::mdy), (DateTime{1, 0}));
}

TEST(DateFormat, ReadsTimes) {
  EXPECT_EQ(moment_of("1970-01-01T01:02:03.5", Order::ymd), (DateTime{0, 3723.5}));
  EXPECT_EQ(moment_of("1970-01-01 23:59", Order::ymd), (DateTime{0, 86340}));
  EXPECT_EQ(moment_of("01/01/1970 12:30 AM", Order::mdy), (DateTime{0, 1800}));
  EXPECT_EQ(moment_of("1:30 pm", Order::time), (DateTime{0, 48600}));
  EXPECT_EQ(moment_of("13:30", Order::time), (DateTime{0, 48600}));
}

TEST(DateFormat, TurnsOffsetsIntoUtc) {
  EXPECT_EQ(moment_of("1970-01-02T01:00:00+02:00", Order::ymd), (DateTime{0, 82800}));
  EXPECT_EQ(moment_of("1970-01-01T23:00:00-02:00", Order::ymd), (DateTime{1, 3600}));
  EXPECT_EQ(moment_of("1970-01-01T23:00:00Z", Order::ymd), (DateTime{0, 82800}));
}

TEST(DateFormat, RefusesWhatIsNoDate) {
  for (const char* text :
       {"2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "24-12-31", "2024-12/31",
        "2024-12-31x", "2024-12-31 25:00", "2024-12-31 12:60", "2024-12", "20241231", "",
        "0000-01-01", "2024-12-31T", "2024-12-31 1:2", "2024-12-31 13:00 PM"})
    EXPECT_EQ(moment_of(text, Order::ymd), std::nullopt) << text;
  EXPECT_EQ(moment_of("12.31.2024", Order::mdy), std::nullopt) << "points go with dmy";
  EXPECT_EQ(moment_of("31/12/24", Order::dmy), std::nullopt) << "a year of two digits";
  EXPECT_EQ(moment_of("24:00", Order::time), std::nullopt);
}

TEST(DateFormat, KnowsTheCalendar) {
  const CalendarDate date = calendar_date(kLastOf2024);
  EXPECT_EQ(date.year, 2024);
  EXPECT_EQ(date.month, 12);
  EXPECT_EQ(date.day, 31);
  EXPECT_EQ(date.weekday, 1) << "a Tuesday";
}

TEST(DateFormat, WritesWhatItReads) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const Order order = kDateOrders[random() % 4];
    DateFormat format{order, "-/"[random() % 2], order == Order::time || random() % 2 == 0};
    if (order == Order::dmy && random() % 2 == 0) format.mark = '.';
    const int64_t day = order == Order::time ? 0 : static_cast<int64_t>(random() % 60000) - 20000;
    const DateTime moment{day, format.has_time ? static_cast<double>(random() % 86400) : 0};
    const std::string text = format_date(moment, format);
    EXPECT_EQ(moment_of(text, order), moment) << text;
  }
}

}  // namespace
}  // namespace plimsoll
