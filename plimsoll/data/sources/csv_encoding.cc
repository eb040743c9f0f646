#include "plimsoll/data/sources/csv_encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/encode/cell_text.h"
#include "plimsoll/data/encode/column_encoding.h"
#include "plimsoll/data/encode/learn_encoding.h"
#include "plimsoll/formats/tables/csv_table.h"

namespace plimsoll {
namespace {

using Columns = std::vector<std::string>;

// The numbers of the rows of a file, under their names: what a split splits.
class RowNumbers final : public Source {
 public:
  RowNumbers(std::string path, const CsvSummary& summary)
      : path_(std::move(path)), summary_(summary) {}

  int64_t size() const override { return summary_.records; }
  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    std::memcpy(into[0], &id.number, sizeof id.number);
  }
  std::string name(RecordId id) const override {
    return fmt::format("{}:{}", path_, summary_.line_of(id.number));
  }
  bool is_in_memory() const override { return true; }

 private:
  std::string path_;
  const CsvSummary& summary_;
  Specs fields_ = {{DType::int64, {}}};
};

// The cells of a CSV file, record by record.
class CsvCells {
 public:
  CsvCells(const std::string& path, bool has_header)
      : path_(path),
        options_{.has_header = has_header, .keeps_bad = true},
        file_(file_source(path)),
        summary_(scan_csv(file_, options_)) {}

  // From now on only the chosen records are visited.
  void choose(const std::function<SourcePtr(const SourcePtr&)>& records) {
    const SourcePtr chosen = records(std::make_shared<RowNumbers>(path_, summary_));
    is_chosen_.assign(static_cast<size_t>(summary_.records), false);
    int64_t row = 0;
    auto* into = reinterpret_cast<std::byte*>(&row);
    for (int64_t i = 0; i < chosen->size(); ++i) {
      chosen->read(i, {&into, 1});
      is_chosen_.at(static_cast<size_t>(row)) = true;
    }
  }

  void visit(const Columns& columns, const VisitCells& look) const {
    std::vector<int64_t> places;
    for (const std::string& name : columns) places.push_back(summary_.find(name, path_));
    std::vector<std::string_view> cells(places.size());
    CsvReader reader(file_, options_.delimiter, options_.limits);
    if (options_.has_header) reader.next();
    for (size_t row = 0; reader.next(); ++row) {
      // A record of another length is bad in any case.
      if (reader.fields() != std::ssize(summary_.columns)) continue;
      if (!is_chosen_.empty() && !is_chosen_.at(row)) continue;
      for (size_t i = 0; i < places.size(); ++i) cells[i] = reader.field(places[i]);
      look(cells);
    }
  }

  char delimiter() const { return summary_.delimiter; }

 private:
  std::string path_;
  CsvOptions options_;
  ByteSourcePtr file_;
  CsvSummary summary_;
  std::vector<bool> is_chosen_;  // empty: all
};

std::string text_of_file(const std::string& path) {
  constexpr int64_t kMaxBytes = 64 << 20;
  const ByteSourcePtr file = file_source(path);
  if (file->size() > kMaxBytes) throw CorruptFile(path + ": is too large for a file of settings");
  if (file->size() == 0) throw CorruptFile(path + ": is empty, expected JSON");
  std::string text(static_cast<size_t>(file->size()), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(text)));
  return text;
}

// What a column has that the training records did not have.
struct NewCells {
  int64_t unseen = 0, gaps = 0;
  Columns examples = {};  // different ones of the unseen

  void add(CellState state, Gaps gaps_are, std::string_view cell) {
    constexpr size_t kExamples = 3;
    if (state == CellState::gap && gaps_are == Gaps::fill) ++gaps;
    if (state != CellState::unseen) return;
    ++unseen;
    const std::string example = shown_cell(cell);
    if (examples.size() < kExamples && std::ranges::find(examples, example) == examples.end())
      examples.push_back(example);
  }

  std::string text(const std::string& column) const {
    Columns parts;
    if (unseen > 0)
      parts.push_back(fmt::format(
          "{} that training did not have, as '{}': all numbers of the "
          "column are 0 there",
          unseen == 1 ? "a text" : fmt::format("{} texts", unseen), fmt::join(examples, "', '")));
    if (gaps > 0)
      parts.push_back(fmt::format("{}, of which training had none: {} filled as data.json says",
                                  gaps == 1 ? "a gap" : fmt::format("{} gaps", gaps),
                                  gaps == 1 ? "it is" : "they are"));
    return fmt::format("column '{}' has {}", shown_cell(column), fmt::join(parts, "; and "));
  }
};

}  // namespace

TableEncodingPtr learn_csv_encoding(const std::string& path, const CsvEncodingOptions& options) {
  CsvCells cells(path, options.has_header);
  if (options.records) cells.choose(options.records);
  LearnTable table{.path = path,
                   .inputs = options.inputs,
                   .targets = options.targets,
                   .prefers_decimal_comma = cells.delimiter() == ';',
                   .announce = options.announce};
  if (!options.file.empty()) {
    table.choices = text_of_file(options.file);
    table.choices_path = options.file;
  }
  Columns columns = table.inputs;
  columns.insert(columns.end(), table.targets.begin(), table.targets.end());
  return std::make_shared<TableEncoding>(
      learn_encoding(table, [&](const VisitCells& visit) { cells.visit(columns, visit); }));
}

void announce_new_cells(const std::string& path, const TableEncoding& encoding,
                        const CsvEncodingOptions& options) {
  if (!options.announce) return;
  std::vector<ColumnEncodingPtr> encodings;
  for (const std::string& name : options.inputs) encodings.push_back(encoding.find(name));
  std::vector<NewCells> found(options.inputs.size());
  std::vector<float> numbers;
  CsvCells(path, options.has_header)
      .visit(options.inputs, [&](std::span<const std::string_view> cells) {
        for (size_t i = 0; i < cells.size(); ++i) {
          if (encodings[i] == nullptr) continue;
          numbers.resize(static_cast<size_t>(encodings[i]->width()));
          const CellState state = encodings[i]->encode(cells[i], numbers);
          found[i].add(state, encodings[i]->gaps(), cells[i]);
        }
      });
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i].unseen + found[i].gaps > 0)
      options.announce({.severity = Finding::Severity::warning,
                        .where = path,
                        .what = found[i].text(options.inputs[i])});
}

}  // namespace plimsoll
