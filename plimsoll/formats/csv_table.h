// A CSV file with a header, in two passes: what its columns are, then the
// columns that are wanted as tensors of exactly the size they need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/formats/csv_reader.h"
#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

struct CsvOptions {
  char delimiter = 0;                  // 0: a comma, or a semicolon or tab where there is none
  std::optional<double> missing = {};  // what stands for a missing number; none: an error
  CsvLimits limits = {};
};

struct CsvColumn {
  enum class Type { integer, real, text };

  std::string name;
  Type type = Type::integer;
  int64_t missing = 0;                // fields
  int64_t smallest = 0, largest = 0;  // of an integer column
};

struct CsvSummary {
  std::vector<CsvColumn> columns;
  int64_t records = 0;

  // InvalidArgument, with the names that are there, where there is no such
  // column or there are two.
  int64_t find(const std::string& name, const std::string& file) const;
  // The line of the file where a record begins.
  int64_t line_of(int64_t record) const;

  // Lines count on from record to record but where a field has a line break or
  // a line is empty: there a new run begins.
  struct Run {
    int64_t record, line;
  };
  std::vector<Run> runs;
};

// CorruptFile, naming line and column, where records are not all as long as the
// header.
CsvSummary scan_csv(const ByteSourcePtr& file, const CsvOptions& options = {});

// The sorted different texts of one column. InvalidArgument where they are over
// `max_classes`.
std::vector<std::string> csv_classes(const ByteSourcePtr& file, int64_t column,
                                     const CsvOptions& options = {}, int64_t max_classes = 1 << 16);

// Columns that make one tensor. With `classes`, text becomes its place among
// them.
struct CsvSelection {
  std::vector<int64_t> columns;
  DType dtype = DType::float32;
  bool is_scalar = false;  // shape (records) instead of (records, columns)
  std::vector<std::string> classes = {};
};

// One tensor a selection. CorruptFile, naming line and column, at the first
// field that is no number (or no class), or is missing and nothing stands for
// it.
std::vector<HostTensor> load_csv(const ByteSourcePtr& file, const CsvSummary& summary,
                                 std::span<const CsvSelection> selections,
                                 const CsvOptions& options = {});

}  // namespace plimsoll
