// The values of JSON-lines files as the cells of a table.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/data/sources/table_cells.h"
#include "plimsoll/formats/tables/cell_encoder.h"
#include "plimsoll/formats/tables/json_line.h"

namespace plimsoll {

// A single value as a cell: true is "true", null is empty, and so is a list, for it is no cell.
// `encoder` says how its column writes numbers; null: as programs do.
std::string cell_of(const JsonValue& value, const CellEncoder* encoder);

// A key that a line does not have is an empty cell. Lines that are not good are passed over.
std::unique_ptr<TableCells> jsonl_cells(const std::vector<std::string>& paths,
                                        const JsonLineLimits& limits = {});

}  // namespace plimsoll
