// Records from a CSV file with a header. Its numbers are loaded once or, if they are many, parsed
// as they are asked for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/encode/table_encoding.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

struct CsvSummary;

struct CsvSourceOptions {
  using Columns = std::vector<std::string>;

  // The column that is to be learnt; empty: no targets. Text becomes the number of its class.
  std::string target = {};
  // Instead of `target`: the columns of each target of a model with several. A target of one column
  // is a number, one of several columns is a vector of numbers.
  std::vector<Columns> targets = {};
  // One per target: whether text becomes the number of its class; else it is an error, as it is
  // where most fields are numbers. None: it does for all.
  std::vector<bool> take_classes = {};
  // The columns of each input; none: one input of all the columns that are nothing else. An input
  // is always a vector.
  std::vector<Columns> inputs = {};
  // Of each input; none: float32. Fields of a string input are kept as they are, in slots as long
  // as the longest of them; an input of int64 keeps whole numbers that float32 would round.
  std::vector<DType> input_dtypes = {};
  Columns ignored = {};  // columns that are not used

  std::vector<std::string> class_names = {};  // of a text target; empty: sorted, as they are found
  // Replaces missing numbers of inputs; none: they are an error, as missing targets always are.
  std::optional<double> missing = {};
  // How cells become numbers (table_learning.h), of the columns that it has; a column that it
  // leaves out is none of the inputs. Null: cells are numbers. Texts and gaps of inputs that
  // training did not have are announced.
  TableEncodingPtr encoding = {};
  // What the file is, if it has been read already (csv_cells.h). Null: it is read for that.
  std::shared_ptr<const CsvSummary> summary = {};
  // A record that is not as it should be is an error when it is read, and not at once.
  bool keeps_bad_records = false;
  // Without a header the columns are called c0, c1, …. None: there is one, and a first line that is
  // like the records is an error.
  std::optional<bool> has_header = {};
  char delimiter = 0;  // 0: a comma, or a semicolon or tab where there is none
  // Numbers that take more than this are not kept in memory; instead, the place of one record in
  // every few KiB of the file is.
  int64_t in_memory_bytes = int64_t{64} << 20;
  // Called with notes, such as how much memory the numbers take.
  std::function<void(const Finding&)> announce = {};
};

// InvalidArgument where a column is not there, or an input is a column of text; CorruptFile, naming
// line and column, where a field is not what it should be. If the numbers are not kept in memory,
// such a field is found when its record is read.
SourcePtr csv_source(const std::string& path, const CsvSourceOptions& options);

// The names of the columns. InvalidArgument where the first line is like the records under it and
// `has_header` is not given; `announce` is called where that is in doubt.
std::vector<std::string> csv_columns(const std::string& path, std::optional<bool> has_header,
                                     const std::function<void(const Finding&)>& announce = {});

}  // namespace plimsoll
