#include "plimsoll/data/encode/category_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "plimsoll/data/encode/cell_text.h"

namespace plimsoll {
namespace {

constexpr size_t kMostCategories = 65536;
// With more texts than this, at least every second record must have one that another has too.
constexpr size_t kFewTexts = 10;

class CategoryColumn final : public ColumnEncoding {
 public:
  explicit CategoryColumn(const CategoryColumnOptions& options)
      : ColumnEncoding(options.gaps), options_(options) {
    for (size_t i = 0; i < options_.categories.size(); ++i)
      places_.emplace(options_.categories[i], i);
  }

  std::string_view kind() const override { return "category"; }
  std::string expected() const override { return "a text of up to 256 bytes"; }
  std::string description() const override {
    constexpr size_t kShown = 8;
    std::vector<std::string> shown;
    for (size_t i = 0; i < std::min(kShown, options_.categories.size()); ++i)
      shown.push_back(shown_cell(options_.categories[i]));
    if (options_.categories.size() > kShown) shown.emplace_back("…");
    return fmt::format("{} {}: {}{}", options_.categories.size(),
                       options_.categories.size() == 1 ? "category" : "categories",
                       fmt::join(shown, ", "), options_.has_other ? "; all others are one" : "");
  }
  std::unique_ptr<ColumnLearner> learner(const LearnerRoom& room) const override;

 protected:
  int64_t own_width() const override {
    return std::ssize(options_.categories) + (options_.has_other ? 1 : 0);
  }
  CellState encode_own(std::string_view cell, std::span<float> into) const override {
    std::ranges::fill(into, 0.0f);
    const auto found = places_.find(cell);
    if (found != places_.end()) {
      into[found->second] = 1;
      return CellState::known;
    }
    if (options_.has_other) into.back() = 1;
    return options_.has_other ? CellState::known : CellState::unseen;
  }
  void fill_gap(std::span<float> into) const override { std::ranges::fill(into, 0.0f); }
  std::optional<std::string> decode_own(std::span<const float> numbers) const override {
    const auto largest = std::ranges::max_element(numbers) - numbers.begin();
    const auto place = static_cast<size_t>(largest);
    if (place >= options_.categories.size() || numbers[place] < 0.5f) return std::nullopt;
    return options_.categories[place];
  }
  std::string own_name(int64_t number) const override {
    const auto place = static_cast<size_t>(number);
    return place < options_.categories.size() ? "=" + options_.categories[place] : " other";
  }
  void write(nlohmann::ordered_json& json) const override {
    json["categories"] = options_.categories;
    json["other"] = options_.has_other;
  }

 private:
  CategoryColumnOptions options_;
  std::map<std::string, size_t, std::less<>> places_;
};

class CategoryLearner final : public ColumnLearner {
 public:
  CategoryLearner(const CategoryColumnOptions& options, size_t room)
      : options_(options), room_(room) {}

  void add(std::string_view cell) override {
    if (is_gap(cell)) {
      has_gaps_ = true;
      return;
    }
    cell = trimmed(cell);
    ++cells_;
    if (too_long_ || too_many_ || is_not_utf8_) return;
    if (const auto found = counts_.find(cell); found != counts_.end()) {
      ++found->second;
      return;
    }
    too_long_ = cell.size() > kMostTextBytes;
    too_many_ = counts_.size() == room_;
    is_not_utf8_ = is_not_utf8_ || !is_utf8(cell);
    if (too_long_ || too_many_ || is_not_utf8_)
      counts_.clear();
    else
      counts_.emplace(cell, 1);
  }

  LearntColumn finish() override {
    if (options_.chooses_gaps) options_.gaps = has_gaps_ ? Gaps::indicate : Gaps::fill;
    options_.chooses_gaps = false;
    if (!options_.categories.empty()) return {category_column(options_)};
    if (cells_ == 0) return {nullptr, "has no value in the training records"};
    if (too_long_) return {nullptr, "has texts of more than 256 bytes, too long for categories"};
    if (is_not_utf8_)
      return {nullptr, "has text that is not UTF-8 (iconv -f latin1 -t utf8 may help)"};
    if (too_many_)
      return {nullptr,
              fmt::format("has more than {} different texts, too many for categories", room_)};
    if (options_.leaves_out_names && counts_.size() > kFewTexts &&
        2 * static_cast<int64_t>(counts_.size()) > cells_)
      return {nullptr, fmt::format("has {} different texts in {} records, as names have",
                                   counts_.size(), cells_)};
    LearntColumn learnt;
    if (counts_.size() > options_.most)
      learnt.note = fmt::format(
          "has {} different texts; the {} most frequent are categories, all others are one "
          "(\"most\" in a file for --encode changes this)",
          counts_.size(), options_.most);
    options_.has_other = options_.has_other || counts_.size() > options_.most;
    options_.categories = kept();
    learnt.encoding = category_column(options_);
    return learnt;
  }

 private:
  std::vector<std::string> kept() const {
    std::vector<std::pair<int64_t, std::string>> texts;
    for (const auto& [text, count] : counts_) texts.emplace_back(-count, text);
    std::ranges::sort(texts);
    texts.resize(std::min(texts.size(), options_.most));
    std::vector<std::string> categories;
    for (auto& [count, text] : texts) categories.push_back(std::move(text));
    std::ranges::sort(categories);
    return categories;
  }

  CategoryColumnOptions options_;
  size_t room_;
  int64_t cells_ = 0;
  bool has_gaps_ = false, too_long_ = false, too_many_ = false, is_not_utf8_ = false;
  std::map<std::string, int64_t, std::less<>> counts_;
};

std::unique_ptr<ColumnLearner> CategoryColumn::learner(const LearnerRoom& room) const {
  if (!options_.categories.empty() && !options_.chooses_gaps) return nullptr;
  return std::make_unique<CategoryLearner>(
      options_, options_.leaves_out_names ? room.texts : kMostCategories);
}

}  // namespace

ColumnEncodingPtr category_column(const CategoryColumnOptions& options) {
  return std::make_shared<CategoryColumn>(options);
}

ColumnEncodingPtr category_column(ColumnSettings& settings, bool is_required) {
  CategoryColumnOptions options;
  if (auto categories = settings.texts("categories")) {
    if (categories->empty() || categories->size() > kMostCategories)
      settings.refuse(fmt::format("categories expected 1 to {} texts, found {}", kMostCategories,
                                  categories->size()));
    options.categories = std::move(*categories);
  } else if (is_required) {
    settings.refuse("expected categories, found none");
  }
  if (const auto most = settings.number("most")) {
    if (*most < 1 || *most > static_cast<double>(kMostCategories))
      settings.refuse(fmt::format("most expected 1 to {}", kMostCategories));
    options.most = static_cast<size_t>(*most);
  }
  options.has_other = settings.flag("other").value_or(false);
  const auto gaps = settings.gaps();
  options.gaps = gaps.value_or(Gaps::fill);
  options.chooses_gaps = !gaps && !is_required;
  return category_column(options);
}

}  // namespace plimsoll
