#include "plimsoll/data/encode/date_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "plimsoll/data/encode/cell_text.h"
#include "plimsoll/data/encode/number_statistics.h"

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 5> kPartNames = {"days", "month", "day", "weekday", "time"};
constexpr double kSecondsPerDay = 86400;
// Days of the years 1 to 9999 are within this.
constexpr double kMostDays = 4e6;

int64_t part_width(DatePart part) {
  return part == DatePart::days ? 1 : 2;
}

bool has_part(const DateFormat& format, DatePart part) {
  return part == DatePart::time ? format.has_time : format.order != DateFormat::Order::time;
}

double days_of(const DateTime& moment) {
  return static_cast<double>(moment.day) + moment.second / kSecondsPerDay;
}

// Where in its cycle a part of the moment is, from 0 to 1.
double phase_of(const DateTime& moment, DatePart part) {
  const CalendarDate date = calendar_date(moment.day);
  if (part == DatePart::month) return (date.month - 1) / 12.0;
  if (part == DatePart::day) return (date.day - 1) / 31.0;
  if (part == DatePart::weekday) return date.weekday / 7.0;
  return moment.second / kSecondsPerDay;
}

class DateColumn final : public ColumnEncoding {
 public:
  explicit DateColumn(const DateColumnOptions& options)
      : ColumnEncoding(options.gaps), options_(options) {}

  std::string_view kind() const override { return "date"; }
  std::string expected() const override {
    constexpr int64_t kExample = 20088;  // 31 December 2024
    return (options_.format.order == DateFormat::Order::time ? "a time such as "
                                                             : "a date such as ") +
           format_date({kExample, 64800}, options_.format);
  }
  std::string description() const override {
    std::vector<std::string_view> names;
    for (const DatePart part : options_.parts)
      names.push_back(kPartNames[static_cast<size_t>(part)]);
    return fmt::format("{}, as {}: {}",
                       options_.format.order == DateFormat::Order::time ? "time" : "date",
                       format_date({20088, 64800}, options_.format), fmt::join(names, ", "));
  }
  std::unique_ptr<ColumnLearner> learner(const LearnerRoom& room) const override;

 protected:
  int64_t own_width() const override {
    int64_t width = 0;
    for (const DatePart part : options_.parts) width += part_width(part);
    return width;
  }

  CellState encode_own(std::string_view cell, std::span<float> into) const override {
    const auto read = parse_date(cell, options_.format.order);
    if (!read || (read->has_time && !options_.format.has_time)) return CellState::bad;
    size_t at = 0;
    for (const DatePart part : options_.parts) {
      if (part == DatePart::days) {
        into[at++] =
            static_cast<float>((days_of(read->moment) - options_.mean) / options_.deviation);
        continue;
      }
      const double angle = 2 * std::numbers::pi * phase_of(read->moment, part);
      into[at++] = static_cast<float>(std::sin(angle));
      into[at++] = static_cast<float>(std::cos(angle));
    }
    return CellState::known;
  }
  void fill_gap(std::span<float> into) const override { std::ranges::fill(into, 0.0f); }

  std::optional<std::string> decode_own(std::span<const float> numbers) const override {
    std::optional<double> days, second;
    bool is_circle_empty = options_.parts.size() > 1;
    size_t at = 0;
    for (const DatePart part : options_.parts) {
      if (part == DatePart::days) {
        days = static_cast<double>(numbers[at++]) * options_.deviation + options_.mean;
        continue;
      }
      const auto sine = static_cast<double>(numbers[at]),
                 cosine = static_cast<double>(numbers[at + 1]);
      at += 2;
      if (sine * sine + cosine * cosine > 0.25) is_circle_empty = false;
      if (part == DatePart::time) second = second_of(sine, cosine);
    }
    if (is_circle_empty) return "";
    return text_of(days, second);
  }

  std::string own_name(int64_t number) const override {
    for (const DatePart part : options_.parts) {
      const int64_t width = part_width(part);
      const std::string name = " " + std::string(kPartNames[static_cast<size_t>(part)]);
      if (number < width) return width == 1 ? name : name + (number == 0 ? " sin" : " cos");
      number -= width;
    }
    return "";
  }

  void write(nlohmann::ordered_json& json) const override {
    json["order"] = to_string(options_.format.order);
    if (options_.format.order != DateFormat::Order::time) {
      json["mark"] = std::string(1, options_.format.mark);
      json["time"] = options_.format.has_time;
    }
    auto& parts = json["parts"] = nlohmann::ordered_json::array();
    for (const DatePart part : options_.parts)
      parts.push_back(kPartNames[static_cast<size_t>(part)]);
    json["mean"] = options_.mean;
    json["deviation"] = options_.deviation;
  }

 private:
  // To a tenth of a second, which is what the numbers keep.
  static double second_of(double sine, double cosine) {
    const double turn = std::atan2(sine, cosine) / (2 * std::numbers::pi);
    const double second = std::round((turn < 0 ? turn + 1 : turn) * kSecondsPerDay * 10) / 10;
    return second >= kSecondsPerDay ? 0 : second;
  }

  std::optional<std::string> text_of(std::optional<double> days,
                                     std::optional<double> second) const {
    const bool is_time = options_.format.order == DateFormat::Order::time;
    if ((!days && !is_time) || (!second && options_.format.has_time)) return std::nullopt;
    if (is_time) return format_date({0, *second}, options_.format);
    if (!(std::abs(*days) < kMostDays)) return std::nullopt;
    // The sine and the cosine have the time more exactly than the days do.
    const double day = std::round(*days - second.value_or(0) / kSecondsPerDay);
    return format_date({static_cast<int64_t>(day), second.value_or(0)}, options_.format);
  }

  DateColumnOptions options_;
};

class DateLearner final : public ColumnLearner {
 public:
  explicit DateLearner(const DateColumnOptions& options) : options_(options), days_(2) {}

  void add(std::string_view cell) override {
    if (is_gap(cell)) {
      has_gaps_ = true;
    } else if (const auto read = parse_date(cell, options_.format.order)) {
      days_.add(days_of(read->moment));
    }
  }

  LearntColumn finish() override {
    if (days_.count() == 0) return {nullptr, "has no date in the training records"};
    if (!options_.is_learnt) {
      options_.mean = days_.mean();
      options_.deviation = days_.deviation();
    }
    options_.is_learnt = true;
    if (options_.chooses_gaps) options_.gaps = has_gaps_ ? Gaps::indicate : Gaps::fill;
    return {date_column(options_)};
  }

 private:
  DateColumnOptions options_;
  NumberStatistics days_;
  bool has_gaps_ = false;
};

std::unique_ptr<ColumnLearner> DateColumn::learner(const LearnerRoom&) const {
  if (options_.is_learnt && !options_.chooses_gaps) return nullptr;
  return std::make_unique<DateLearner>(options_);
}

void read_format(ColumnSettings& settings, const ColumnSurvey* survey, DateFormat& format) {
  if (survey != nullptr) format = survey->date_format();
  if (const auto order = settings.text("order")) {
    const auto known = date_order(*order);
    if (!known)
      settings.refuse("order expected ymd, dmy, mdy or time, found '" + shown_cell(*order) + "'");
    format.order = *known;
  } else if (survey == nullptr) {
    settings.refuse("expected order, found none");
  }
  if (const auto mark = settings.text("mark")) {
    if (*mark != "-" && *mark != "/" && *mark != ".")
      settings.refuse("mark expected -, / or ., found '" + shown_cell(*mark) + "'");
    format.mark = (*mark)[0];
  }
  if (const auto has_time = settings.flag("time")) format.has_time = *has_time;
  if (format.order == DateFormat::Order::time) format.has_time = true;
}

std::vector<DatePart> read_parts(ColumnSettings& settings) {
  std::vector<DatePart> parts;
  const auto names = settings.texts("parts");
  if (names && names->empty()) settings.refuse("parts expected at least one");
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    const auto* found = std::ranges::find(kPartNames, name);
    if (found == kPartNames.end())
      settings.refuse(fmt::format("parts expected some of {}, found '{}'",
                                  fmt::join(kPartNames, ", "), shown_cell(name)));
    parts.push_back(static_cast<DatePart>(found - kPartNames.begin()));
  }
  return parts;
}

}  // namespace

ColumnEncodingPtr date_column(DateColumnOptions options) {
  if (options.parts.empty()) {
    if (options.format.order != DateFormat::Order::time)
      options.parts = {DatePart::days, DatePart::month, DatePart::weekday};
    if (options.format.has_time) options.parts.push_back(DatePart::time);
  }
  return std::make_shared<DateColumn>(options);
}

ColumnEncodingPtr date_column(ColumnSettings& settings, const ColumnSurvey* survey) {
  DateColumnOptions options;
  read_format(settings, survey, options.format);
  options.parts = read_parts(settings);
  for (const DatePart part : options.parts)
    if (!has_part(options.format, part))
      settings.refuse(fmt::format("parts has '{}', which the cells do not have",
                                  kPartNames[static_cast<size_t>(part)]));
  const auto gaps = settings.gaps();
  options.gaps = gaps.value_or(Gaps::fill);
  options.chooses_gaps = !gaps && survey != nullptr;
  const auto mean = settings.number("mean"), deviation = settings.number("deviation");
  if (mean.has_value() != deviation.has_value() || (survey == nullptr && !mean))
    settings.refuse("expected mean and deviation, found only one of them, or none");
  if (!mean) return date_column(options);
  if (std::abs(*mean) > kMostDays || !(*deviation > 0) || *deviation > kMostDays)
    settings.refuse("mean and deviation expected days, the deviation above 0");
  options.is_learnt = true;
  options.mean = *mean;
  options.deviation = *deviation;
  return date_column(options);
}

}  // namespace plimsoll
