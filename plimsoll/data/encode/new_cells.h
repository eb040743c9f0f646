// NewCells: what the columns of a table have that the training records did not: texts, and gaps.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/encode/column_encoding.h"

namespace plimsoll {

class NewCells {
 public:
  explicit NewCells(const std::string& column) : column_(column) {}

  void add(CellState state, Gaps gaps_are, std::string_view cell);
  // Says it, if there is something to say. `path` is the table's.
  void announce(const std::string& path, const std::function<void(const Finding&)>& announce) const;

 private:
  std::string text() const;

  std::string column_;
  int64_t unseen_ = 0, gaps_ = 0;
  std::vector<std::string> examples_;  // different ones of the unseen
};

// An encoder that notes each cell in `cells`, which must outlive it. Not safe for threads.
std::shared_ptr<const CellEncoder> watched(ColumnEncodingPtr encoding, NewCells& cells);

}  // namespace plimsoll
