#include "plimsoll/data/sources/csv_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/data/encode/column_encoding.h"
#include "plimsoll/data/encode/new_cells.h"
#include "plimsoll/data/sources/csv_rows.h"
#include "plimsoll/data/sources/shared_classes.h"
#include "plimsoll/formats/tables/csv_selection.h"
#include "plimsoll/formats/tables/csv_value.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

using Columns = CsvSourceOptions::Columns;

// Numbers in memory that know their lines. A bad record is read from the file, which is the error.
class LoadedRows final : public SourceStage {
 public:
  LoadedRows(std::vector<HostTensor> tensors, SourcePtr rows, std::vector<int64_t> bad)
      : SourceStage(from_tensor_slices(std::move(tensors))),
        rows_(std::move(rows)),
        bad_(std::move(bad)) {}

  std::string name(RecordId id) const override { return rows_->name(id); }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    if (has_bad(id.number, 1)) rows_->read(id, into);
    inner().read(id, into);
  }
  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override {
    if (has_bad(first.number, count)) return Source::read_run(first, count, into);
    inner().read_run(first, count, into);
  }

 private:
  bool has_bad(int64_t first, int64_t count) const {
    const auto found = std::ranges::lower_bound(bad_, first);
    return found != bad_.end() && *found < first + count;
  }

  SourcePtr rows_;            // from the file
  std::vector<int64_t> bad_;  // records, in their order
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
    if (spec.dtype == DType::string) element /= spec.shape.back();
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
      : options_(options), file_(file_source(path)) {
    if (options.summary == nullptr) csv_columns(path, options.has_header);
    summary_ = options.summary == nullptr ? scan_csv(file_, csv_options()) : *options.summary;
    if (summary_.records == 0) throw CorruptFile(path + ": has a header but no record");
    if (!options.target.empty()) targets_ = {{options.target}};
    if (!options.targets.empty()) targets_ = options.targets;
    for (const std::string& name : options.ignored) require_column(name);
    for (const Columns& columns : targets_)
      for (const std::string& name : columns) require_column(name);
  }

  SourcePtr make() {
    for (const Columns& columns : inputs()) select_input(columns);
    for (size_t i = 0; i < targets_.size(); ++i)
      select_target(targets_[i], options_.take_classes.empty() || options_.take_classes.at(i));
    std::vector<Columns> names = column_names();
    return std::make_shared<NamedColumns>(rows(), std::move(names), std::move(class_names_));
  }

 private:
  std::vector<Columns> column_names() const {
    std::vector<Columns> names;
    for (const CsvSelection& selection : selections_) {
      Columns columns;
      for (const int64_t column : selection.columns) columns.push_back(column_at(column).name);
      names.push_back(options_.encoding == nullptr ? columns
                                                   : options_.encoding->number_names(columns));
    }
    return names;
  }

  SourcePtr rows() {
    const int64_t bytes = total_bytes();
    const std::string records = fmt::format("{} records", summary_.records);
    // Where memory is short, most of it is left to the model.
    if (bytes <= std::min(options_.in_memory_bytes, memory_available() / 4)) {
      announce(records + " take " + format_bytes(bytes) + " of memory");
      std::vector<int64_t> bad;
      auto tensors = load(bad);
      return std::make_shared<LoadedRows>(
          std::move(tensors),
          csv_rows(file_, std::move(summary_), std::move(selections_), csv_options()),
          std::move(bad));
    }
    announce(records + " are read from the file again and again; " + format_bytes(bytes) +
             " of numbers are not kept in memory (a .npz file is read faster)");
    look_at_cells();
    return csv_rows(file_, std::move(summary_), std::move(selections_), csv_options());
  }

  // The selections with encoders of inputs that note what is new.
  std::vector<CsvSelection> watched_selections(std::deque<NewCells>& cells) const {
    std::vector<CsvSelection> selections = selections_;
    if (!options_.announce || options_.encoding == nullptr) return selections;
    for (size_t i = 0; i + targets_.size() < selections.size(); ++i)
      for (size_t k = 0; k < selections[i].encoders.size(); ++k) {
        const std::string& name = column_at(selections[i].columns[k]).name;
        const ColumnEncodingPtr encoding = options_.encoding->find(name);
        if (encoding == nullptr || is_target(name)) continue;
        selections[i].encoders[k] = watched(encoding, cells.emplace_back(name));
      }
    return selections;
  }

  void announce_new(const std::deque<NewCells>& cells) const {
    for (const NewCells& column : cells) column.announce(file_->name(), options_.announce);
  }

  std::vector<HostTensor> load(std::vector<int64_t>& bad) const {
    std::deque<NewCells> cells;
    auto tensors = load_csv(file_, summary_, watched_selections(cells), csv_options(), &bad);
    announce_new(cells);
    return tensors;
  }

  // Of a table that is not loaded: reads it once for what is new.
  void look_at_cells() const {
    std::deque<NewCells> cells;
    const std::vector<CsvSelection> selections = watched_selections(cells);
    if (cells.empty()) return;
    std::vector<float> numbers;
    CsvReader reader(file_, options_.delimiter);
    if (csv_options().has_header) reader.next();
    while (reader.next()) {
      if (reader.fields() != std::ssize(summary_.columns)) continue;
      for (const CsvSelection& selection : selections)
        for (size_t k = 0; k < selection.encoders.size(); ++k)
          if (const auto& encoder = selection.encoders[k]; encoder != nullptr) {
            numbers.resize(static_cast<size_t>(encoder->width()));
            encoder->encode(reader.field(selection.columns[k]), numbers);
          }
    }
    announce_new(cells);
  }

  CsvOptions csv_options() const {
    return {.delimiter = options_.delimiter,
            .has_header = options_.has_header.value_or(true),
            .keeps_bad = options_.keeps_bad_records};
  }

  void announce(const std::string& what) const {
    if (options_.announce)
      options_.announce(
          {.severity = Finding::Severity::note, .where = file_->name(), .what = what});
  }

  bool is_target(const std::string& name) const {
    return std::ranges::any_of(targets_, [&](const Columns& columns) {
      return std::ranges::find(columns, name) != columns.end();
    });
  }

  bool has_column(const std::string& name) const {
    return std::ranges::find(summary_.columns, name, &CsvColumn::name) != summary_.columns.end();
  }

  void require_column(const std::string& name) const {
    if (!has_column(name)) summary_.find(name, file_->name());  // refuses it
  }

  std::vector<Columns> inputs() const {
    if (!options_.inputs.empty()) return options_.inputs;
    Columns rest;
    for (const CsvColumn& column : summary_.columns) {
      if (is_used_elsewhere(column.name)) continue;
      if (options_.encoding != nullptr && options_.encoding->leaves_out(column.name)) continue;
      if (column.name.empty())
        announce("the column without a name is taken for the numbers of the records and left out");
      else
        rest.push_back(column.name);
    }
    if (rest.empty()) throw InvalidArgument(file_->name() + ": has no column for the input");
    return {rest};
  }

  bool is_used_elsewhere(const std::string& name) const {
    return is_target(name) || std::ranges::find(options_.ignored, name) != options_.ignored.end();
  }

  CsvSelection numbers(const Columns& columns) const {
    CsvSelection selection;
    for (const std::string& name : columns)
      selection.columns.push_back(summary_.find(name, file_->name()));
    return selection;
  }

  void refuse_text(const CsvSelection& selection) const {
    for (size_t i = 0; i < selection.columns.size(); ++i) {
      const CsvColumn& column = column_at(selection.columns[i]);
      if (!is_encoded(selection, i) && column.type() == CsvColumn::Type::text)
        throw InvalidArgument(fmt::format(
            "{}: column '{}' holds text, expected numbers (make numbers of it with --encode auto, "
            "or leave it out with --ignore '{}')",
            file_->name(), column.name, column.name));
    }
  }

  void select_input(const Columns& columns) {
    CsvSelection selection = numbers(columns);
    const size_t input = selections_.size();
    const DType wanted =
        input < options_.input_dtypes.size() ? options_.input_dtypes[input] : DType::float32;
    if (wanted == DType::string) {
      selection.dtype = DType::string;
      for (const int64_t column : selection.columns)
        selection.text_bytes = std::max(selection.text_bytes, column_at(column).longest);
    } else {
      if (wanted == DType::float32) encode(columns, selection);
      refuse_text(selection);
      selection.missing = options_.missing;
      if (wanted == DType::int64 && std::ranges::all_of(selection.columns, [&](int64_t column) {
            return column_at(column).type() == CsvColumn::Type::integer;
          }))
        selection.dtype = DType::int64;
    }
    selections_.push_back(std::move(selection));
  }

  void select_target(const Columns& columns, bool takes_classes) {
    CsvSelection selection = numbers(columns);
    selection.is_scalar = columns.size() == 1;
    encode(columns, selection);
    if (columns.size() == 1 && !is_encoded(selection, 0))
      describe_target(column_at(selection.columns[0]), takes_classes, selection);
    selections_.push_back(std::move(selection));
  }

  void encode(const Columns& columns, CsvSelection& selection) const {
    if (options_.encoding == nullptr) return;
    for (const std::string& name : columns)
      selection.encoders.push_back(options_.encoding->find(name));
  }

  static bool is_encoded(const CsvSelection& selection, size_t column) {
    return !selection.encoders.empty() && selection.encoders[column] != nullptr;
  }

  const CsvColumn& column_at(int64_t column) const {
    return summary_.columns[static_cast<size_t>(column)];
  }

  // Integers are the numbers of classes that have names, unless these names are numbers.
  bool has_names(const CsvColumn& column) const {
    if (column.type() == CsvColumn::Type::text) return true;
    return std::ranges::any_of(options_.class_names, [](const std::string& name) {
      return parse_csv_value(name).kind != CsvValue::Kind::text;
    });
  }

  // A target of integers may be classes, which losses know by their type.
  void describe_target(const CsvColumn& column, bool takes_classes, CsvSelection& selection) {
    constexpr int64_t kLeast = std::numeric_limits<int32_t>::min();
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    if (takes_classes && has_names(column)) {
      selection.dtype = DType::int32;
      selection.classes = options_.class_names;
      if (selection.classes.empty())
        for (CsvClass& one : csv_classes(file_, selection.columns[0], csv_options()))
          selection.classes.push_back(std::move(one.name));
      share_classes(file_->name(), column.name, selection.classes, class_names_);
    } else if (column.type() == CsvColumn::Type::text) {
      throw InvalidArgument(
          fmt::format("{}: column '{}' holds text, expected numbers: the loss and the output of "
                      "the model take numbers, not classes",
                      file_->name(), column.name));
    } else if (column.type() == CsvColumn::Type::integer) {
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

std::vector<std::string> csv_columns(const std::string& path, std::optional<bool> has_header,
                                     const std::function<void(const Finding&)>& announce) {
  constexpr int64_t kLookedAt = 1000, kShown = 5;
  const ByteSourcePtr file = file_source(path);
  const CsvOptions options{.has_header = has_header.value_or(true), .keeps_bad = true};
  const CsvSummary start = scan_csv(file, options, kLookedAt);
  std::vector<std::string> names;
  for (const CsvColumn& column : start.columns) names.push_back(column.name);
  const CsvHeader header = has_header ? CsvHeader::names : header_of(start);
  if (header == CsvHeader::names) return names;
  const std::string what =
      fmt::format("the first line is like a record, expected the names of columns: {}{}",
                  fmt::join(std::span(names).first(std::min<size_t>(names.size(), kShown)), ", "),
                  std::ssize(names) > kShown ? ", …" : "");
  const std::string remedy =
      "--no-header takes it as a record, and the columns are c0, c1, …; --header says that these "
      "are names";
  if (header == CsvHeader::record)
    throw InvalidArgument(fmt::format("{}: {} ({})", path, what, remedy));
  if (announce)
    announce({.severity = Finding::Severity::warning,
              .where = path,
              .what = header == CsvHeader::texts
                          ? "the first line, which names the columns, has a text that comes again "
                            "below it"
                          : "the first line has numbers among the names of columns",
              .remedy = "--no-header if it is a record"});
  return names;
}

}  // namespace plimsoll
