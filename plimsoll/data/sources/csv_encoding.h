// Learns from a CSV file how its text, dates and numbers become numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/encode/table_encoding.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

struct CsvEncodingOptions {
  // A JSON file that says of some columns how they become numbers; empty: all by themselves.
  std::string file = {};
  // Columns. The numbers of a target are never scaled.
  std::vector<std::string> inputs = {}, targets = {};
  // Given a source of all records, the part of it that is learnt from, as split() and subset() make
  // it. None: all of them.
  std::function<SourcePtr(const SourcePtr& all)> records = {};
  bool has_header = true;
  // Called with what a person should know: columns that are left out, and doubts.
  std::function<void(const Finding&)> announce = {};
};

// For CsvSourceOptions::encoding. The file is read three times; memory holds a bounded amount per
// column, whatever the cells are. InvalidArgument where a column is not there; CorruptFile where
// one of the files is damaged.
TableEncodingPtr learn_csv_encoding(const std::string& path, const CsvEncodingOptions& options);

// Announces what the columns of a file have that the training records did not: texts, and gaps.
void announce_new_cells(const std::string& path, const TableEncoding& encoding,
                        const CsvEncodingOptions& options);

}  // namespace plimsoll
