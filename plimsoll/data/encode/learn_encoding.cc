#include "plimsoll/data/encode/learn_encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/data/encode/cell_text.h"
#include "plimsoll/data/encode/column_kind_list.h"
#include "plimsoll/data/encode/number_column.h"
#include "plimsoll/formats/archives/json.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

// A column while it is learnt.
struct ColumnInLearning {
  std::string name;
  bool is_target = false;
  const Json* choice = nullptr;
  ColumnSurvey survey = {};
  ColumnEncodingPtr encoding = {};
  std::unique_ptr<ColumnLearner> learner = {};
  std::string note = {};
};

class TableLearner {
 public:
  explicit TableLearner(const LearnTable& table) : table_(table) {
    for (const std::string& name : table.inputs) columns_.push_back({.name = name});
    for (const std::string& name : table.targets)
      columns_.push_back({.name = name, .is_target = true});
    if (!table.choices.empty()) take_choices();
  }

  TableEncoding learn(const ForEachRecord& records) {
    const bool has_seen_all = survey_first(records);
    if (!has_seen_all) guess();
    if (has_seen_all)
      for (ColumnInLearning& column : columns_) choose(column);
    else
      for (ColumnInLearning& column : columns_) column.survey = {};
    visit(records, [&](ColumnInLearning& column, std::string_view cell) {
      if (!has_seen_all) column.survey.add(cell);
      if (column.learner != nullptr) column.learner->add(cell);
    });
    if (!has_seen_all) correct_guesses(records);
    TableEncoding encoding;
    for (ColumnInLearning& column : columns_) finish(column, encoding);
    return encoding;
  }

 private:
  void take_choices() {
    choices_ = parse_json(table_.choices, table_.choices_path);
    if (!choices_.is_object())
      throw CorruptFile(table_.choices_path +
                        ": expected an object with a key for each column, as {\"age\": "
                        "\"number\"}");
    for (const auto& [name, choice] : choices_.items()) {
      const auto column = std::ranges::find(columns_, name, &ColumnInLearning::name);
      if (column == columns_.end())
        throw InvalidArgument(fmt::format("{}: column '{}' is not one that {} is learnt from",
                                          table_.choices_path, shown_cell(name), table_.path));
      column->choice = &choice;
    }
  }

  template <class Look>
  void visit(const ForEachRecord& records, const Look& look) {
    records([&](std::span<const std::string_view> cells) {
      for (size_t i = 0; i < columns_.size(); ++i) look(columns_[i], cells[i]);
      return true;
    });
  }

  // Returns false if there are more.
  bool survey_first(const ForEachRecord& records) {
    constexpr int64_t kFirst = 1000;
    int64_t seen = 0;
    records([&](std::span<const std::string_view> cells) {
      if (++seen > kFirst) return false;
      for (size_t i = 0; i < columns_.size(); ++i) columns_[i].survey.add(cells[i]);
      return true;
    });
    return seen <= kFirst;
  }

  // What the first records ask for. Settings that these do not fit may fit all records.
  void guess() {
    for (ColumnInLearning& column : columns_) try {
        choose(column);
      } catch (const Error&) {
        column.encoding = nullptr;
        column.learner = nullptr;
      }
  }

  // Columns that are something else than was guessed are learnt again.
  void correct_guesses(const ForEachRecord& records) {
    std::vector<ColumnInLearning*> wrong;
    for (ColumnInLearning& column : columns_) {
      const ColumnEncodingPtr guessed = column.encoding;
      std::unique_ptr<ColumnLearner> learner = std::move(column.learner);
      choose(column);
      if (is_same(guessed, column.encoding))
        column.learner = std::move(learner);
      else if (column.learner != nullptr)
        wrong.push_back(&column);
    }
    if (wrong.empty()) return;
    visit(records, [&](ColumnInLearning& column, std::string_view cell) {
      if (std::ranges::find(wrong, &column) != wrong.end()) column.learner->add(cell);
    });
  }

  static bool is_same(const ColumnEncodingPtr& one, const ColumnEncodingPtr& other) {
    if (one == nullptr || other == nullptr) return one == other;
    return one->to_json() == other->to_json();
  }

  // What the column is to be, before its cells are learnt from.
  void choose(ColumnInLearning& column) const {
    const bool comma = table_.prefers_decimal_comma;
    column.encoding = nullptr;
    column.learner = nullptr;
    column.note.clear();
    if (column.is_target) {
      choose_target(column);
    } else if (column.choice != nullptr) {
      ColumnChoice choice(table_.choices_path, column.name, *column.choice);
      column.encoding = choice.encoding(&column.survey, comma);
      column.note = choice.why();
    } else {
      LearntColumn chosen = encoding_by_survey(column.survey, comma);
      column.encoding = std::move(chosen.encoding);
      column.note = std::move(chosen.note);
    }
    if (column.encoding != nullptr) column.learner = column.encoding->learner(room());
  }

  // Numbers that are written otherwise than programs write them; all else is read as it is without
  // an encoding.
  void choose_target(ColumnInLearning& column) const {
    const bool comma = table_.prefers_decimal_comma;
    NumberColumnOptions options{.is_standard = false, .gaps = Gaps::refuse, .is_learnt = true};
    if (column.choice != nullptr) {
      Json settings = *column.choice;
      if (settings.is_string()) settings = {{"kind", settings}};
      if (!settings.is_object() || settings.value("kind", Json()) != "number")
        throw InvalidArgument(fmt::format(
            "{}: column '{}' is the target, which is a number here, or left out of this file",
            table_.choices_path, shown_cell(column.name)));
      settings.update({{"scale", "none"}, {"gaps", "refuse"}, {"median", 0}});
      column.encoding =
          ColumnChoice(table_.choices_path, column.name, settings).encoding(&column.survey, comma);
      return;
    }
    const ColumnSurvey::Result result = column.survey.result(comma);
    options.format = column.survey.number_format(comma);
    if (result.kind != ColumnSurvey::Kind::number || options.format == NumberFormat{}) return;
    column.encoding = number_column(options);
    column.note = result.note;
  }

  void finish(ColumnInLearning& column, TableEncoding& into) const {
    if (column.learner != nullptr) {
      LearntColumn learnt = column.learner->finish();
      column.learner.reset();
      column.encoding = std::move(learnt.encoding);
      if (!learnt.note.empty())
        column.note = column.note.empty() ? learnt.note : column.note + "; it " + learnt.note;
    }
    if (column.is_target && column.encoding == nullptr) return;
    const bool is_left_out = column.encoding == nullptr;
    const bool is_asked_for =
        column.choice != nullptr &&
        ColumnChoice(table_.choices_path, column.name, *column.choice).kind() != kLeftOutKind;
    if (is_left_out && is_asked_for)
      throw InvalidArgument(
          fmt::format("{}: column '{}' {}", table_.path, shown_cell(column.name), column.note));
    if (column.choice == nullptr && !column.note.empty()) announce(column, is_left_out);
    into.columns.push_back({column.name, std::move(column.encoding), column.note});
  }

  void announce(const ColumnInLearning& column, bool is_left_out) const {
    if (!table_.announce) return;
    Finding finding{.severity = Finding::Severity::warning,
                    .where = table_.path,
                    .what = fmt::format("column '{}' {}", shown_cell(column.name), column.note)};
    if (is_left_out) {
      finding.what += "; it is left out";
      finding.remedy =
          fmt::format("--ignore {} says so, a file for --encode may say what it is: {}",
                      column.name, column_kinds_text());
    }
    table_.announce(finding);
  }

  // All columns together hold a bounded amount, whatever the cells are.
  LearnerRoom room() const {
    const size_t columns = std::max<size_t>(columns_.size(), 1);
    return {.numbers = std::clamp<size_t>((size_t{4} << 20) / columns, 64, 65536),
            .texts = std::clamp<size_t>((size_t{256} << 10) / columns, 16, 4096)};
  }

  const LearnTable& table_;
  Json choices_;
  std::vector<ColumnInLearning> columns_;
};

}  // namespace

TableEncoding learn_encoding(const LearnTable& table, const ForEachRecord& records) {
  return TableLearner(table).learn(records);
}

}  // namespace plimsoll
