#include "plimsoll/data/sources/csv_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/csv_rows.h"
#include "plimsoll/formats/tables/csv_selection.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

using Columns = CsvSourceOptions::Columns;

// Numbers in memory that know their lines.
class LoadedRows final : public SourceStage {
 public:
  LoadedRows(std::string path, CsvSummary summary, std::vector<HostTensor> tensors)
      : SourceStage(from_tensor_slices(std::move(tensors))),
        path_(std::move(path)),
        summary_(std::move(summary)) {}

  std::string name(RecordId id) const override {
    return fmt::format("{}:{}", path_, summary_.line_of(id.number));
  }

 private:
  std::string path_;
  CsvSummary summary_;
};

// And the names of columns and classes.
class NamedColumns final : public SourceStage {
 public:
  NamedColumns(SourcePtr rows, std::vector<Columns> fields, std::vector<std::string> class_names)
      : SourceStage(std::move(rows)),
        fields_(std::move(fields)),
        class_names_(std::move(class_names)) {}

  std::string element_name(size_t field, int64_t element) const override {
    const Spec& spec = inner().fields()[field];
    if (spec.dtype == kString) element /= spec.shape.back();
    return "column '" + fields_[field][static_cast<size_t>(element)] + "'";
  }
  std::span<const std::string> class_names() const override { return class_names_; }
  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override {
    inner().read_run(first, count, into);
  }

 private:
  std::vector<Columns> fields_;  // the columns of each
  std::vector<std::string> class_names_;
};

class CsvSourceMaker {
 public:
  CsvSourceMaker(const std::string& path, const CsvSourceOptions& options)
      : options_(options), file_(file_source(path)), summary_(scan_csv(file_, csv_options())) {
    if (summary_.records == 0) throw CorruptFile(path + ": has a header but no record");
    if (!options.target.empty()) targets_ = {{options.target}};
    if (!options.targets.empty()) targets_ = options.targets;
    for (const std::string& name : options.ignored)
      if (!has_column(name)) summary_.find(name, path);  // refuses it
  }

  SourcePtr make() {
    for (const Columns& columns : inputs()) select_input(columns);
    for (const Columns& columns : targets_) select_target(columns);
    std::vector<Columns> names = column_names();
    return std::make_shared<NamedColumns>(rows(), std::move(names), std::move(class_names_));
  }

 private:
  std::vector<Columns> column_names() const {
    std::vector<Columns> names;
    for (const CsvSelection& selection : selections_) {
      names.emplace_back();
      for (const int64_t column : selection.columns)
        names.back().push_back(summary_.columns[static_cast<size_t>(column)].name);
    }
    return names;
  }

  SourcePtr rows() {
    const int64_t bytes = total_bytes();
    const std::string records = fmt::format("{} records", summary_.records);
    if (bytes <= options_.in_memory_bytes) {
      announce(records + " take " + format_bytes(bytes) + " of memory");
      auto tensors = load_csv(file_, summary_, selections_, csv_options());
      return std::make_shared<LoadedRows>(file_->name(), std::move(summary_), std::move(tensors));
    }
    announce(records + " are read from the file again and again; " + format_bytes(bytes) +
             " of numbers are not kept in memory (a .npz file is read faster)");
    return csv_rows(file_, std::move(summary_), std::move(selections_), csv_options());
  }

  CsvOptions csv_options() const {
    return {.delimiter = options_.delimiter, .missing = options_.missing};
  }

  void announce(const std::string& what) const {
    if (options_.announce)
      options_.announce(
          {.severity = Finding::Severity::note, .where = file_->name(), .what = what});
  }

  bool has_column(const std::string& name) const {
    return std::ranges::find(summary_.columns, name, &CsvColumn::name) != summary_.columns.end();
  }

  std::vector<Columns> inputs() const {
    if (!options_.inputs.empty()) return options_.inputs;
    Columns rest;
    for (const CsvColumn& column : summary_.columns) {
      if (is_used_elsewhere(column.name)) continue;
      if (column.name.empty())
        announce("the column without a name is taken for the numbers of the records and left out");
      else
        rest.push_back(column.name);
    }
    if (rest.empty()) throw InvalidArgument(file_->name() + ": has no column for the input");
    return {rest};
  }

  bool is_used_elsewhere(const std::string& name) const {
    const auto has = [&](const Columns& columns) {
      return std::ranges::find(columns, name) != columns.end();
    };
    return has(options_.ignored) || std::ranges::any_of(targets_, has);
  }

  CsvSelection numbers(const Columns& columns) const {
    CsvSelection selection;
    for (const std::string& name : columns)
      selection.columns.push_back(summary_.find(name, file_->name()));
    return selection;
  }

  void select_input(const Columns& columns) {
    CsvSelection selection = numbers(columns);
    const size_t input = selections_.size();
    const DType wanted =
        input < options_.input_dtypes.size() ? options_.input_dtypes[input] : DType::float32;
    const auto column_at = [&](int64_t i) -> const CsvColumn& {
      return summary_.columns[static_cast<size_t>(i)];
    };
    if (wanted == kString) {
      selection.dtype = kString;
      for (const int64_t column : selection.columns)
        selection.text_bytes = std::max(selection.text_bytes, column_at(column).longest);
    } else if (wanted == DType::int64 &&
               std::ranges::all_of(selection.columns, [&](int64_t column) {
                 return column_at(column).type == CsvColumn::Type::integer;
               })) {
      selection.dtype = DType::int64;
    }
    selections_.push_back(std::move(selection));
  }

  void select_target(const Columns& columns) {
    CsvSelection selection = numbers(columns);
    if (columns.size() == 1) {
      selection.is_scalar = true;
      describe_target(summary_.columns[static_cast<size_t>(selection.columns[0])], selection);
    }
    selections_.push_back(std::move(selection));
  }

  // A target of integers may be classes, which losses know by their type.
  void describe_target(const CsvColumn& column, CsvSelection& selection) {
    constexpr int64_t kLeast = std::numeric_limits<int32_t>::min();
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    if (column.type == CsvColumn::Type::text || !options_.class_names.empty()) {
      selection.dtype = DType::int32;
      selection.classes = options_.class_names;
      if (selection.classes.empty())
        selection.classes = csv_classes(file_, selection.columns[0], csv_options());
      class_names_ = selection.classes;
    } else if (column.type == CsvColumn::Type::integer) {
      const bool is_small = column.smallest >= kLeast && column.largest <= kMost;
      selection.dtype = is_small ? DType::int32 : DType::int64;
    }
  }

  int64_t total_bytes() const {
    int64_t bytes = 0;
    for (const CsvSelection& selection : selections_) bytes += selection.spec().bytes();
    return bytes * summary_.records;
  }

  const CsvSourceOptions& options_;
  ByteSourcePtr file_;
  CsvSummary summary_;
  std::vector<Columns> targets_;
  std::vector<CsvSelection> selections_;
  std::vector<std::string> class_names_;
};

}  // namespace

SourcePtr csv_source(const std::string& path, const CsvSourceOptions& options) {
  return CsvSourceMaker(path, options).make();
}

}  // namespace plimsoll
