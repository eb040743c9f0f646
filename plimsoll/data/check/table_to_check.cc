#include "plimsoll/data/check/table_to_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/csv_source.h"
#include "plimsoll/data/sources/record_view.h"
#include "plimsoll/formats/tables/csv_table.h"
#include "plimsoll/formats/tables/csv_value.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// What the fields of a column are.
struct Column {
  std::string name;
  int64_t numbers = 0, texts = 0;
  bool is_text() const { return texts > numbers; }
};

class TableRecords final : public SourceStage {
 public:
  TableRecords(std::vector<HostTensor> tensors, std::string path, CsvSummary lines, Names classes)
      : SourceStage(from_tensor_slices(std::move(tensors))),
        path_(std::move(path)),
        lines_(std::move(lines)),
        classes_(std::move(classes)) {}
  std::string name(RecordId id) const override {
    return fmt::format("{}:{}", path_, lines_.line_of(id.number));
  }
  std::span<const std::string> class_names() const override { return classes_; }

 private:
  std::string path_;
  CsvSummary lines_;
  Names classes_;
};

class TableLoader {
 public:
  TableLoader(const std::string& path, const TableToCheckOptions& options)
      : path_(path), options_(options) {}

  DataToCheck load() {
    scan();
    choose_columns();
    fill();
    table_.records = std::make_shared<TableRecords>(std::move(tensors_), path_, std::move(lines_),
                                                    Names(classes_));
    return std::move(table_);
  }

 private:
  // --- what is in the file

  void scan() {
    for (std::string& name : csv_columns(path_, options_.has_header))
      columns_.push_back({.name = std::move(name)});
    refuse_unknown();
    CsvReader reader = first_record();
    std::set<std::string> texts;
    int64_t expected_line = -1;
    for (; reader.next(); ++lines_.records, expected_line = reader.line() + 1) {
      if (reader.line() != expected_line) lines_.runs.push_back({lines_.records, reader.line()});
      look_at(reader, texts);
    }
    if (lines_.records == 0) throw CorruptFile(path_ + ": has a header but no record");
    classes_ = options_.class_names;
    if (classes_.empty() && has_text_target()) classes_.assign(texts.begin(), texts.end());
    for (const std::string& name : classes_)
      class_numbers_.emplace(name, static_cast<float>(class_numbers_.size()));
  }

  CsvReader first_record() const {
    CsvReader reader(file_source(path_));
    if (options_.has_header.value_or(true)) reader.next();
    return reader;
  }

  void refuse_unknown() const {
    for (const Names* names : {&options_.targets, &options_.ignored})
      for (const std::string& name : *names)
        if (std::ranges::find(columns_, name, &Column::name) == columns_.end())
          throw InvalidArgument(path_ + ": has no column '" + name + "'");
  }

  // Notes the texts of the only target.
  void look_at(const CsvReader& reader, std::set<std::string>& texts) {
    constexpr size_t kMostClasses = 1 << 16;
    if (reader.fields() != std::ssize(columns_)) return;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string_view field = reader.field(static_cast<int64_t>(i));
      const CsvValue::Kind kind = parse_csv_value(field).kind;
      if (kind == CsvValue::Kind::missing) continue;
      ++(kind == CsvValue::Kind::text ? columns_[i].texts : columns_[i].numbers);
      if (is_only_target(columns_[i]) && texts.size() < kMostClasses) texts.emplace(field);
    }
  }

  bool is_only_target(const Column& column) const {
    return options_.targets.size() == 1 && column.name == options_.targets[0];
  }

  bool has_text_target() const {
    return std::ranges::any_of(columns_,
                               [&](const Column& c) { return is_only_target(c) && c.is_text(); });
  }

  // --- what becomes of it

  void choose_columns() {
    FieldToCheck inputs{.name = "x"}, targets{.name = "y", .role = FieldRole::target};
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      const bool is_target = contains(options_.targets, column.name);
      if (contains(options_.ignored, column.name) || column.name.empty()) continue;
      if (column.is_text() && !(is_target && !classes_.empty())) {
        leave_out(column);
        continue;
      }
      (is_target ? targets : inputs).columns.push_back(column.name);
      (is_target ? targets_ : inputs_).push_back(i);
    }
    if (!classes_.empty()) targets.is_classes = true;
    if (!inputs_.empty()) table_.fields.push_back(std::move(inputs));
    if (!targets_.empty()) table_.fields.push_back(std::move(targets));
    if (inputs_.empty() && targets_.empty())
      throw InvalidArgument(path_ + ": has no column of numbers");
  }

  void leave_out(const Column& column) {
    const std::string what = "column '" + column.name + "' holds text, expected numbers";
    const std::string remedy =
        "--encode auto makes numbers of it, --ignore " + column.name + " leaves it out";
    if (options_.targets.empty())
      table_.warnings.push_back(
          {.reason = "text_column",
           .what = what,
           .remedy = "--target " + column.name + " makes classes of it; " + remedy,
           .examples = {column.name}});
    else
      table_.bad.push_back({-1, path_, Flaw::not_a_number, what + " (" + remedy + ")"});
  }

  void fill() {
    CsvReader reader = first_record();
    float* inputs = inputs_.empty() ? nullptr : new_tensor(inputs_.size());
    float* targets = targets_.empty() ? nullptr : new_tensor(targets_.size());
    for (int64_t record = 0; record < lines_.records; ++record) {
      if (!reader.next()) throw CorruptFile(path_ + ": became shorter while it was read");
      std::optional<Problem> problem;
      for (const size_t column : inputs_) *inputs++ = value_of(reader, column, false, problem);
      for (const size_t column : targets_) *targets++ = value_of(reader, column, true, problem);
      if (problem)
        table_.bad.push_back({record, fmt::format("{}:{}", path_, reader.line()), problem->flaw,
                              std::move(problem->detail)});
    }
  }

  float* new_tensor(size_t columns) {
    Spec spec{DType::float32, {lines_.records}};
    if (columns > 1 || tensors_.empty()) spec.shape.push_back(static_cast<int64_t>(columns));
    tensors_.push_back({spec, std::make_shared<Storage>(spec.bytes())});
    return reinterpret_cast<float*>(tensors_.back().storage->data());
  }

  // NaN where there is no number; then `problem` says why, unless it already names an earlier
  // field.
  float value_of(const CsvReader& reader, size_t column, bool is_target,
                 std::optional<Problem>& problem) const {
    const auto refuse = [&](Flaw flaw, const std::string& detail) {
      if (!problem) problem = Problem{flaw, detail};
      return std::numeric_limits<float>::quiet_NaN();
    };
    if (reader.fields() != std::ssize(columns_))
      return refuse(Flaw::shape, fmt::format("expected {} fields as in the header, found {}",
                                             columns_.size(), reader.fields()));
    const std::string_view field = reader.field(static_cast<int64_t>(column));
    const CsvValue value = parse_csv_value(field);
    const std::string name = "column '" + columns_[column].name + "'";
    const bool is_class = is_target && !classes_.empty();
    if (value.kind == CsvValue::Kind::missing && (is_target || !options_.missing))
      return refuse(Flaw::missing, name + " has no value");
    if (is_class) {
      const auto found = find_class(class_numbers_, field);
      if (found == class_numbers_.end())
        return refuse(Flaw::label, name + " is '" + shown(field) + "', which is no class");
      return found->second;
    }
    if (value.kind == CsvValue::Kind::text)
      return refuse(Flaw::not_a_number, name + " expected a number, found '" + shown(field) + "'");
    const bool is_missing = value.kind == CsvValue::Kind::missing;
    return static_cast<float>(is_missing ? *options_.missing : value.number);
  }

  static std::string shown(std::string_view field) {
    constexpr size_t kShown = 40;
    return std::string(field.substr(0, kShown)) + (field.size() > kShown ? "…" : "");
  }

  const std::string& path_;
  const TableToCheckOptions& options_;
  std::vector<Column> columns_;
  CsvSummary lines_;  // the records and where they begin
  Names classes_;
  std::map<std::string, float, std::less<>> class_numbers_;
  std::vector<size_t> inputs_, targets_;  // columns
  std::vector<HostTensor> tensors_;
  DataToCheck table_;
};

}  // namespace

DataToCheck open_table_to_check(const std::string& path, const TableToCheckOptions& options) {
  return TableLoader(path, options).load();
}

}  // namespace plimsoll
