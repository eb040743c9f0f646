// The contents of a CSV file with a header: its columns, and where its records
// begin.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/printable.h"
#include "plimsoll/formats/bytes/sparse_offsets.h"
#include "plimsoll/formats/tables/csv_reader.h"

namespace plimsoll {

struct CsvOptions {
  char delimiter = 0;      // 0: a comma, or a semicolon or tab where there is none
  bool has_header = true;  // without: the first line is a record, the columns are c0, c1, …
  // Records of another length than the header are counted, and are an error when they are read;
  // else they are one at once.
  bool keeps_bad = false;
  CsvLimits limits = {};
};

struct CsvColumn {
  enum class Type { integer, real, text };

  std::string name;
  int64_t missing = 0, texts = 0, integers = 0, reals = 0;  // fields of each kind
  int64_t smallest = 0, largest = 0;                        // of the integers
  int64_t longest = 0;                                      // bytes of the longest field
  bool repeats_name = false;                                // a record has its name for a text

  // Text where most fields are; a few texts among numbers are bad fields.
  Type type() const;
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
// header. Looks at no more than `most_records`.
CsvSummary scan_csv(const ByteSourcePtr& file, const CsvOptions& options = {},
                    int64_t most_records = std::numeric_limits<int64_t>::max());

// What the first line is, judged by the fields under it.
enum class CsvHeader {
  names,
  numbers,  // all that could be numbers are whole numbers: years, or a record
  record,   // numbers over numbers, and texts that come again: not a header
  texts,    // columns of text, and the name of one is among its texts: names, or a record
};
// A header of 0, 1, 2, … is one of names, as pandas writes it.
CsvHeader header_of(const CsvSummary& summary);

// The different texts of one column, sorted, with the records of each. Names of classes, as those
// of columns, are valid UTF-8: other bytes are written out ("caf\xe9"), because JSON files keep
// them.
struct CsvClass {
  std::string name;
  int64_t records = 0;
  int64_t line = 0;  // of the first
};
// InvalidArgument if they are more than `max_classes`.
std::vector<CsvClass> csv_classes(const ByteSourcePtr& file, int64_t column,
                                  const CsvOptions& options = {}, int64_t max_classes = 1 << 16);

// The class in a map by names that a field is of, or the end of the map.
template <class Classes>
auto find_class(const Classes& classes, std::string_view field) {
  const auto found = classes.find(field);
  return found != classes.end() ? found : classes.find(valid_utf8(field));
}

}  // namespace plimsoll
