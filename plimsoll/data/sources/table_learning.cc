#include "plimsoll/data/sources/table_learning.h"

#include <cstring>
#include <span>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/csv_cells.h"
#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {
namespace {

// The numbers of the records of a table, under their names: what a split splits.
class RecordNumbers final : public Source {
 public:
  explicit RecordNumbers(const TableCells& cells) : cells_(cells) {}

  int64_t size() const override { return cells_.records(); }
  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    std::memcpy(into[0], &id.number, sizeof id.number);
  }
  std::string name(RecordId id) const override { return cells_.name(id.number); }
  bool is_in_memory() const override { return true; }

 private:
  const TableCells& cells_;
  Specs fields_ = {{DType::int64, {}}};
};

// One per record.
std::vector<bool> chosen_records(const TableCells& cells,
                                 const std::function<SourcePtr(const SourcePtr&)>& records) {
  const SourcePtr chosen = records(std::make_shared<RecordNumbers>(cells));
  std::vector<bool> is_chosen(static_cast<size_t>(cells.records()), false);
  int64_t row = 0;
  auto* into = reinterpret_cast<std::byte*>(&row);
  for (int64_t i = 0; i < chosen->size(); ++i) {
    chosen->read(i, {&into, 1});
    is_chosen.at(static_cast<size_t>(row)) = true;
  }
  return is_chosen;
}

std::string text_of_file(const std::string& path) {
  constexpr int64_t kMaxBytes = 64 << 20;
  const ByteSourcePtr file = file_source(path);
  if (file->size() > kMaxBytes) throw CorruptFile(path + ": is too large for a file of settings");
  if (file->size() == 0) throw CorruptFile(path + ": is empty, expected JSON");
  std::string text(static_cast<size_t>(file->size()), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

TableEncodingPtr learn_table(const TableCells& cells, const TableLearningOptions& options) {
  std::vector<bool> is_chosen;
  if (options.records) is_chosen = chosen_records(cells, options.records);
  LearnTable table{.path = cells.path(),
                   .inputs = options.inputs,
                   .targets = options.targets,
                   .prefers_decimal_comma = cells.prefers_decimal_comma(),
                   .announce = options.announce};
  if (!options.file.empty()) {
    table.choices = text_of_file(options.file);
    table.choices_path = options.file;
  }
  std::vector<std::string> columns = table.inputs;
  columns.insert(columns.end(), table.targets.begin(), table.targets.end());
  return std::make_shared<TableEncoding>(learn_encoding(
      table, [&](const VisitCells& look) { cells.visit(columns, is_chosen, look); }));
}

TableEncodingPtr learn_csv_encoding(const std::string& path, const TableLearningOptions& options,
                                    bool has_header) {
  return learn_table(CsvCells(path, {.has_header = has_header, .keeps_bad = true}), options);
}

}  // namespace plimsoll
