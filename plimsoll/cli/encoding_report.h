// How `plimsoll check` shows the encoding of a table.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plimsoll/data/encode/table_encoding.h"

namespace plimsoll::cli {

// A line per column with what it becomes, and how many numbers the inputs are in all.
void print_encoding(const TableEncoding& encoding, const std::vector<std::string>& targets);
nlohmann::ordered_json encoding_json(const TableEncoding& encoding,
                                     const std::vector<std::string>& targets);

}  // namespace plimsoll::cli
