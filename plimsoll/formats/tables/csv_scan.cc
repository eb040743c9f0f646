#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "plimsoll/base/flaw.h"
#include "plimsoll/base/printable.h"
#include "plimsoll/formats/tables/csv_table.h"
#include "plimsoll/formats/tables/csv_value.h"

namespace plimsoll {
namespace {

// The names of the columns. With a header, the reader is then at the first record.
std::vector<std::string> read_names(CsvReader& reader, bool has_header) {
  if (!reader.next()) throw CorruptFile(reader.name() + ": is empty, expected a line of names");
  std::vector<std::string> names;
  for (int64_t i = 0; i < reader.fields(); ++i)
    names.push_back(has_header ? valid_utf8(reader.field(i)) : fmt::format("c{}", i));
  return names;
}

void check_length(const CsvReader& reader, size_t expected) {
  if (reader.fields() == static_cast<int64_t>(expected)) return;
  throw FlawedRecord(
      Flaw::shape,
      fmt::format("{}: expected {} fields as in the header, found {}",
                  reader.place(std::min<int64_t>(reader.fields(), static_cast<int64_t>(expected))),
                  expected, reader.fields()));
}

void look_at(std::string_view text, CsvColumn& column) {
  column.longest = std::max(column.longest, static_cast<int64_t>(text.size()));
  const CsvValue value = parse_csv_value(text);
  switch (value.kind) {
    case CsvValue::Kind::missing:
      ++column.missing;
      return;
    case CsvValue::Kind::text:
      ++column.texts;
      column.repeats_name = column.repeats_name || text == column.name;
      return;
    case CsvValue::Kind::real:
      ++column.reals;
      return;
    case CsvValue::Kind::integer:
      const bool is_first = column.integers++ == 0;
      column.smallest = is_first ? value.integer : std::min(column.smallest, value.integer);
      column.largest = is_first ? value.integer : std::max(column.largest, value.integer);
  }
}

// "0,1,2", as pandas writes a table without names; an index before it has the empty name.
bool counts_columns(const CsvSummary& summary) {
  int64_t next = 0;
  for (const CsvColumn& column : summary.columns)
    if (!(next == 0 && column.name.empty()) && column.name != std::to_string(next++)) return false;
  return next > 0;
}

}  // namespace

CsvColumn::Type CsvColumn::type() const {
  if (texts > integers + reals) return Type::text;
  return reals > 0 ? Type::real : Type::integer;
}

CsvHeader header_of(const CsvSummary& summary) {
  int64_t numbers = 0, texts = 0;
  bool repeats = false, has_real = false;
  for (const CsvColumn& column : summary.columns) {
    if (column.type() == CsvColumn::Type::text) {
      ++texts;
      repeats = repeats || column.repeats_name;
    } else if (column.integers + column.reals > 0 && !column.name.empty()) {
      const CsvValue::Kind kind = parse_csv_value(column.name).kind;
      if (kind == CsvValue::Kind::text) return CsvHeader::names;
      numbers += kind != CsvValue::Kind::missing;
      has_real = has_real || kind == CsvValue::Kind::real;
    }
  }
  if (numbers == 0 && repeats) return CsvHeader::texts;
  if (numbers == 0 || counts_columns(summary)) return CsvHeader::names;
  return texts == 0 || repeats || has_real ? CsvHeader::record : CsvHeader::numbers;
}

int64_t CsvSummary::find(const std::string& name, const std::string& file) const {
  const auto matches = std::ranges::count(columns, name, &CsvColumn::name);
  if (matches == 1) return std::ranges::find(columns, name, &CsvColumn::name) - columns.begin();
  constexpr size_t kShown = 30;
  std::string names;
  for (size_t i = 0; i < std::min(columns.size(), kShown); ++i)
    names += (i > 0 ? ", " : "") + columns[i].name;
  if (columns.size() > kShown) names += ", …";
  throw InvalidArgument(fmt::format("{}: expected one column '{}', found {} among the columns {}",
                                    file, name, matches, names));
}

int64_t CsvSummary::line_of(int64_t record) const {
  const auto after = std::ranges::upper_bound(runs, record, {}, &Run::record);
  const Run& run = *(after - 1);
  return run.line + record - run.record;
}

CsvSummary::Part CsvSummary::part_with(int64_t record, int64_t file_bytes) const {
  const SparseOffsets::Point& point = offsets.before(record);
  return {{point.offset, offsets.next(record, file_bytes), line_of(point.record)}, point.record};
}

CsvSummary scan_csv(const ByteSourcePtr& file, const CsvOptions& options, int64_t most_records) {
  CsvReader reader(file, options.delimiter, options.limits);
  CsvSummary summary;
  for (std::string& name : read_names(reader, options.has_header))
    summary.columns.push_back({.name = std::move(name)});
  summary.delimiter = reader.delimiter();
  int64_t expected_line = -1;
  // Without a header the reader is at the first record already.
  for (bool is_record = !options.has_header || reader.next();
       is_record && summary.records < most_records; is_record = reader.next(), ++summary.records) {
    if (!options.keeps_bad) check_length(reader, summary.columns.size());
    summary.offsets.add(summary.records, reader.offset());
    if (reader.line() != expected_line) summary.runs.push_back({summary.records, reader.line()});
    expected_line = reader.line() + 1;
    if (reader.fields() != std::ssize(summary.columns)) continue;
    for (int64_t i = 0; i < reader.fields(); ++i)
      look_at(reader.field(i), summary.columns[static_cast<size_t>(i)]);
  }
  return summary;
}

std::vector<CsvClass> csv_classes(const ByteSourcePtr& file, int64_t column,
                                  const CsvOptions& options, int64_t max_classes) {
  CsvReader reader(file, options.delimiter, options.limits);
  std::map<std::string, CsvClass, std::less<>> classes;
  if (options.has_header) reader.next();
  while (reader.next()) {
    if (column >= reader.fields()) continue;  // reading the record reports it
    const std::string_view text = reader.field(column);
    if (const auto found = classes.find(text); found != classes.end()) {
      ++found->second.records;
      continue;
    }
    if (parse_csv_value(text).kind == CsvValue::Kind::missing) continue;
    if (static_cast<int64_t>(classes.size()) >= max_classes)
      throw InvalidArgument(fmt::format("{}: more than {} different texts are too many for classes",
                                        reader.place(column), max_classes));
    classes.emplace(text, CsvClass{valid_utf8(text), 1, reader.line()});
  }
  std::vector<CsvClass> sorted;
  for (auto& [name, found] : classes) sorted.push_back(std::move(found));
  std::ranges::sort(sorted, {}, &CsvClass::name);
  return sorted;
}

}  // namespace plimsoll
