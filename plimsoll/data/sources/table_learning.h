// Learns from a table how its text, dates and numbers become numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/encode/table_encoding.h"
#include "plimsoll/data/source.h"
#include "plimsoll/data/sources/table_cells.h"

namespace plimsoll {

struct TableLearningOptions {
  // A JSON file that says of some columns how they become numbers; empty: all by themselves.
  std::string file = {};
  // Columns. The numbers of a target are never scaled.
  std::vector<std::string> inputs = {}, targets = {};
  // Given a source of all records, the part of it that is learnt from, as split() and subset() make
  // it. None: all of them.
  std::function<SourcePtr(const SourcePtr& all)> records = {};
  // Called with what a person should know: columns that are left out, and doubts.
  std::function<void(const Finding&)> announce = {};
};

// For the `encoding` of a source. The records are read once, and a few of them before; memory holds
// a bounded amount per column, whatever the cells are. InvalidArgument where a column is not there;
// CorruptFile where one of the files is damaged.
TableEncodingPtr learn_table(const TableCells& cells, const TableLearningOptions& options);

// Of a CSV file, in which records that are bad as a whole are passed over. For JSON-lines:
// learn_table(*jsonl_cells({path}), options).
TableEncodingPtr learn_csv_encoding(const std::string& path, const TableLearningOptions& options,
                                    bool has_header = true);

}  // namespace plimsoll
