#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tables/csv_table.h"
#include "plimsoll/formats/tables/csv_value.h"

namespace plimsoll {
namespace {

void read_header(CsvReader& reader, CsvSummary& summary) {
  if (!reader.next()) throw CorruptFile(reader.name() + ": is empty, expected a line of names");
  for (int64_t i = 0; i < reader.fields(); ++i)
    summary.columns.push_back({.name = std::string(reader.field(i))});
}

void check_length(const CsvReader& reader, size_t expected) {
  if (reader.fields() == static_cast<int64_t>(expected)) return;
  throw CorruptFile(
      fmt::format("{}: expected {} fields as in the header, found {}",
                  reader.place(std::min<int64_t>(reader.fields(), static_cast<int64_t>(expected))),
                  expected, reader.fields()));
}

void look_at(std::string_view text, bool is_first, CsvColumn& column) {
  column.longest = std::max(column.longest, static_cast<int64_t>(text.size()));
  if (column.type == CsvColumn::Type::text) return;
  const CsvValue value = parse_csv_value(text);
  switch (value.kind) {
    case CsvValue::Kind::missing:
      ++column.missing;
      return;
    case CsvValue::Kind::text:
      column.type = CsvColumn::Type::text;
      return;
    case CsvValue::Kind::real:
      column.type = CsvColumn::Type::real;
      return;
    case CsvValue::Kind::integer:
      column.smallest = is_first ? value.integer : std::min(column.smallest, value.integer);
      column.largest = is_first ? value.integer : std::max(column.largest, value.integer);
  }
}

}  // namespace

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

CsvSummary scan_csv(const ByteSourcePtr& file, const CsvOptions& options) {
  CsvReader reader(file, options.delimiter, options.limits);
  CsvSummary summary;
  read_header(reader, summary);
  summary.delimiter = reader.delimiter();
  int64_t expected_line = -1;
  for (; reader.next(); ++summary.records) {
    check_length(reader, summary.columns.size());
    summary.offsets.add(summary.records, reader.offset());
    if (reader.line() != expected_line) summary.runs.push_back({summary.records, reader.line()});
    expected_line = reader.line() + 1;
    for (int64_t i = 0; i < reader.fields(); ++i) {
      CsvColumn& column = summary.columns[static_cast<size_t>(i)];
      look_at(reader.field(i), summary.records == column.missing, column);
    }
  }
  return summary;
}

std::vector<std::string> csv_classes(const ByteSourcePtr& file, int64_t column,
                                     const CsvOptions& options, int64_t max_classes) {
  CsvReader reader(file, options.delimiter, options.limits);
  std::set<std::string, std::less<>> classes;
  reader.next();
  while (reader.next()) {
    const std::string_view text = reader.field(column);
    if (classes.contains(text)) continue;
    if (parse_csv_value(text).kind == CsvValue::Kind::missing) continue;
    if (static_cast<int64_t>(classes.size()) >= max_classes)
      throw InvalidArgument(fmt::format("{}: more than {} different texts are too many for classes",
                                        reader.place(column), max_classes));
    classes.emplace(text);
  }
  return {classes.begin(), classes.end()};
}

}  // namespace plimsoll
