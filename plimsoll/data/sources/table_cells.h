// TableCells: the cells of a table as texts, record by record.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/data/encode/learn_encoding.h"

namespace plimsoll {

class TableCells {
 public:
  virtual ~TableCells() = default;

  virtual const std::string& path() const = 0;
  virtual int64_t records() const = 0;
  // "people.csv:17", as the source of the table names the record.
  virtual std::string name(int64_t record) const = 0;
  // Calls `look` with the cells of these columns, until it has enough. Records that are bad as a
  // whole are passed over, and those that `is_chosen`, unless it is empty, has not. InvalidArgument
  // where there is no such column.
  virtual void visit(const std::vector<std::string>& columns, const std::vector<bool>& is_chosen,
                     const VisitCells& look) const = 0;
  // Where 1,234 may be either.
  virtual bool prefers_decimal_comma() const { return false; }
};

}  // namespace plimsoll
