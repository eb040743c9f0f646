#include "plimsoll/data/encode/number_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/data/encode/cell_text.h"
#include "plimsoll/data/encode/number_statistics.h"

namespace plimsoll {
namespace {

class NumberColumn final : public ColumnEncoding {
 public:
  explicit NumberColumn(const NumberColumnOptions& options)
      : ColumnEncoding(options.gaps), options_(options) {}

  std::string_view kind() const override { return "number"; }
  std::string expected() const override {
    const bool is_grouped = options_.format.thousands != 0;
    std::string example = format_number(is_grouped ? 234.5 : 1234.5, options_.format);
    const size_t place = example.find("234");
    if (is_grouped) example.insert(place, std::string("1") + options_.format.thousands);
    return "a number such as " + example;
  }
  std::string written(double number) const override {
    std::string text = plain_number(number);
    std::ranges::replace(text, '.', options_.format.decimal);
    return text + options_.format.unit;
  }
  std::string description() const override {
    std::string text = "number";
    if (options_.format.decimal == ',') text += " with a decimal comma";
    if (!options_.format.unit.empty()) text += " in " + options_.format.unit;
    if (options_.is_standard)
      text += fmt::format(", less {:.4g}, divided by {:.4g}", options_.mean, options_.deviation);
    if (gaps() != Gaps::refuse) text += fmt::format("; a gap is {:.4g}", options_.median);
    return text;
  }
  std::unique_ptr<ColumnLearner> learner(const LearnerRoom& room) const override;

 protected:
  int64_t own_width() const override { return 1; }
  CellState encode_own(std::string_view cell, std::span<float> into) const override {
    const auto read = parse_number(cell, options_.format);
    if (!read) return CellState::bad;
    into[0] = scaled(read->value);
    return CellState::known;
  }
  void fill_gap(std::span<float> into) const override { into[0] = scaled(options_.median); }
  std::optional<std::string> decode_own(std::span<const float> numbers) const override {
    const auto number = static_cast<double>(numbers[0]);
    return format_number(
        options_.is_standard ? number * options_.deviation + options_.mean : number,
        options_.format);
  }
  std::string own_name(int64_t) const override { return ""; }
  void write(nlohmann::ordered_json& json) const override {
    json["decimal"] = std::string(1, options_.format.decimal);
    if (options_.format.thousands != 0)
      json["thousands"] = std::string(1, options_.format.thousands);
    if (!options_.format.unit.empty()) json["unit"] = options_.format.unit;
    json["scale"] = options_.is_standard ? "standard" : "none";
    if (options_.is_standard) {
      json["mean"] = options_.mean;
      json["deviation"] = options_.deviation;
    }
    json["median"] = options_.median;
  }

 private:
  float scaled(double number) const {
    return static_cast<float>(options_.is_standard ? (number - options_.mean) / options_.deviation
                                                   : number);
  }

  NumberColumnOptions options_;
};

class NumberLearner final : public ColumnLearner {
 public:
  NumberLearner(const NumberColumnOptions& options, size_t room)
      : options_(options), statistics_(room) {}

  void add(std::string_view cell) override {
    if (is_gap(cell)) {
      has_gaps_ = true;
    } else if (const auto read = parse_number(cell, options_.format)) {
      statistics_.add(read->value);
    }
  }

  LearntColumn finish() override {
    if (statistics_.count() == 0) return {nullptr, "has no number in the training records"};
    if (!options_.is_learnt) {
      options_.mean = statistics_.mean();
      options_.deviation = statistics_.deviation();
      options_.median = statistics_.median();
    }
    options_.is_learnt = true;
    if (options_.chooses_gaps) options_.gaps = has_gaps_ ? Gaps::indicate : Gaps::fill;
    return {number_column(options_)};
  }

 private:
  NumberColumnOptions options_;
  NumberStatistics statistics_;
  bool has_gaps_ = false;
};

std::unique_ptr<ColumnLearner> NumberColumn::learner(const LearnerRoom& room) const {
  if (options_.is_learnt && !options_.chooses_gaps) return nullptr;
  return std::make_unique<NumberLearner>(options_, room.numbers);
}

// The mark that `key` holds; 0: the key is not there.
char mark(ColumnSettings& settings, const char* key, std::string_view allowed) {
  const auto text = settings.text(key);
  if (!text) return 0;
  if (text->size() != 1 || allowed.find((*text)[0]) == allowed.npos)
    settings.refuse(
        fmt::format("{} expected one of {}, found '{}'", key, allowed, shown_cell(*text)));
  return (*text)[0];
}

// What was learnt: all of it, or nothing.
void read_learnt(ColumnSettings& settings, bool is_required, NumberColumnOptions& options) {
  const auto mean = settings.number("mean"), deviation = settings.number("deviation"),
             median = settings.number("median");
  const bool has_scale = !options.is_standard || (mean && deviation);
  if (deviation && !(*deviation > 0)) settings.refuse("deviation expected a number above 0");
  if (!has_scale || !median) {
    if (is_required || mean || deviation || median)
      settings.refuse("expected mean, deviation and median, found only some of them");
    return;
  }
  options.is_learnt = true;
  options.mean = mean.value_or(0);
  options.deviation = deviation.value_or(1);
  options.median = *median;
}

}  // namespace

ColumnEncodingPtr number_column(const NumberColumnOptions& options) {
  return std::make_shared<NumberColumn>(options);
}

ColumnEncodingPtr number_column(ColumnSettings& settings, const ColumnSurvey* survey,
                                bool prefers_decimal_comma) {
  NumberColumnOptions options;
  const bool has_format =
      settings.has("decimal") || settings.has("thousands") || settings.has("unit");
  if (!has_format && survey != nullptr)
    options.format = survey->number_format(prefers_decimal_comma);
  if (const char decimal = mark(settings, "decimal", ".,"); decimal != 0)
    options.format.decimal = decimal;
  if (const char thousands = mark(settings, "thousands", ",.' "); thousands != 0)
    options.format.thousands = thousands;
  if (options.format.thousands == options.format.decimal)
    settings.refuse("thousands and decimal are the same mark");
  if (const auto unit = settings.text("unit")) options.format.unit = *unit;
  if (options.format.unit.size() > 16) settings.refuse("unit has more than 16 bytes");
  const std::string scale = settings.text("scale").value_or("standard");
  if (scale != "standard" && scale != "none")
    settings.refuse("scale expected standard or none, found '" + shown_cell(scale) + "'");
  options.is_standard = scale == "standard";
  const auto gaps = settings.gaps();
  options.gaps = gaps.value_or(Gaps::fill);
  options.chooses_gaps = !gaps && survey != nullptr;
  read_learnt(settings, survey == nullptr, options);
  return number_column(options);
}

}  // namespace plimsoll
