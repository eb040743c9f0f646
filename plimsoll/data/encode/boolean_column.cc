#include "plimsoll/data/encode/boolean_column.h"

#include <cmath>

#include "plimsoll/data/encode/boolean_words.h"
#include "plimsoll/data/encode/cell_text.h"

namespace plimsoll {
namespace {

class BooleanColumn final : public ColumnEncoding {
 public:
  explicit BooleanColumn(const BooleanColumnOptions& options)
      : ColumnEncoding(options.gaps), options_(options) {}

  std::string_view kind() const override { return "boolean"; }
  std::string expected() const override { return options_.yes + " or " + options_.no; }
  std::string description() const override {
    return "boolean: " + options_.yes + " is 1, " + options_.no + " is 0";
  }
  std::unique_ptr<ColumnLearner> learner(const LearnerRoom& room) const override;

 protected:
  int64_t own_width() const override { return 1; }
  CellState encode_own(std::string_view cell, std::span<float> into) const override {
    into[0] = 0;
    std::optional<bool> value = boolean_word(cell);
    if (cell == options_.yes) value = true;
    if (cell == options_.no) value = false;
    if (!value) return CellState::bad;
    into[0] = *value ? 1.0f : 0.0f;
    return CellState::known;
  }
  void fill_gap(std::span<float> into) const override { into[0] = 0.5f; }
  std::optional<std::string> decode_own(std::span<const float> numbers) const override {
    if (std::abs(numbers[0] - 0.5f) < 0.25f) return "";
    return numbers[0] > 0.5f ? options_.yes : options_.no;
  }
  std::string own_name(int64_t) const override { return ""; }
  void write(nlohmann::ordered_json& json) const override {
    json["yes"] = options_.yes;
    json["no"] = options_.no;
  }

 private:
  BooleanColumnOptions options_;
};

class BooleanLearner final : public ColumnLearner {
 public:
  explicit BooleanLearner(const BooleanColumnOptions& options) : options_(options) {}

  void add(std::string_view cell) override {
    if (is_gap(cell)) {
      has_gaps_ = true;
      return;
    }
    cell = trimmed(cell);
    const auto value = boolean_word(cell);
    if (!value) return;
    std::string& word = *value ? options_.yes : options_.no;
    if (word.empty()) word = cell;
  }

  LearntColumn finish() override {
    if (options_.yes.empty() && options_.no.empty())
      return {nullptr, "has no word for yes or no in the training records"};
    if (options_.yes.empty()) options_.yes = "yes";
    if (options_.no.empty()) options_.no = "no";
    if (options_.chooses_gaps) options_.gaps = has_gaps_ ? Gaps::indicate : Gaps::fill;
    return {boolean_column(options_)};
  }

 private:
  BooleanColumnOptions options_;
  bool has_gaps_ = false;
};

std::unique_ptr<ColumnLearner> BooleanColumn::learner(const LearnerRoom&) const {
  if (!options_.yes.empty() && !options_.no.empty() && !options_.chooses_gaps) return nullptr;
  return std::make_unique<BooleanLearner>(options_);
}

}  // namespace

ColumnEncodingPtr boolean_column(const BooleanColumnOptions& options) {
  return std::make_shared<BooleanColumn>(options);
}

ColumnEncodingPtr boolean_column(ColumnSettings& settings, bool is_required) {
  BooleanColumnOptions options;
  options.yes = settings.text("yes").value_or("");
  options.no = settings.text("no").value_or("");
  const bool has_both = !options.yes.empty() && !options.no.empty();
  if (options.yes.empty() != options.no.empty() || (is_required && !has_both))
    settings.refuse("expected yes and no, the two words of the column");
  if (has_both && (options.yes == options.no || is_gap(options.yes) || is_gap(options.no) ||
                   options.yes.size() > kMostTextBytes || options.no.size() > kMostTextBytes))
    settings.refuse("yes and no expected two different words");
  const auto gaps = settings.gaps();
  options.gaps = gaps.value_or(Gaps::fill);
  options.chooses_gaps = !gaps && !is_required;
  return boolean_column(options);
}

}  // namespace plimsoll
