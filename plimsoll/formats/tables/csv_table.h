// The contents of a CSV file with a header: its columns, and where its records
// begin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/formats/bytes/sparse_offsets.h"
#include "plimsoll/formats/tables/csv_reader.h"

namespace plimsoll {

struct CsvOptions {
  char delimiter = 0;                  // 0: a comma, or a semicolon or tab where there is none
  std::optional<double> missing = {};  // replaces missing numbers; none: they are an error
  CsvLimits limits = {};
};

struct CsvColumn {
  enum class Type { integer, real, text };

  std::string name;
  Type type = Type::integer;
  int64_t missing = 0;                // fields
  int64_t smallest = 0, largest = 0;  // of an integer column
  int64_t longest = 0;                // bytes of the longest field
};

struct CsvSummary {
  std::vector<CsvColumn> columns;
  int64_t records = 0;
  char delimiter = ',';
  SparseOffsets offsets;  // of the records

  // InvalidArgument, with the names that are there, where there is no such
  // column or there are two.
  int64_t find(const std::string& name, const std::string& file) const;
  // The line of the file where a record begins.
  int64_t line_of(int64_t record) const;
  // Whole records, few of them, of which `record` is one, and the number of the
  // first.
  struct Part {
    CsvPart part;
    int64_t first;
  };
  Part part_with(int64_t record, int64_t file_bytes) const;

  // In a run, each record is one line after the one before. Where a field has a
  // line break, or a line is empty, a new run begins.
  struct Run {
    int64_t record, line;
  };
  std::vector<Run> runs;
};

// CorruptFile, naming line and column, where records are not all as long as the
// header.
CsvSummary scan_csv(const ByteSourcePtr& file, const CsvOptions& options = {});

// The different texts of one column, sorted. InvalidArgument where they are more
// than `max_classes`.
std::vector<std::string> csv_classes(const ByteSourcePtr& file, int64_t column,
                                     const CsvOptions& options = {}, int64_t max_classes = 1 << 16);

}  // namespace plimsoll
