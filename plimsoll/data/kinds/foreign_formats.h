// Formats of data that other programs write and that are not read here.
#pragma once

#include <string>

#include "plimsoll/data/kinds/data_kind.h"

namespace plimsoll {

// What such a file is and how to make data of it: "is a Parquet file, …". Empty for all others.
std::string about_foreign_format(const DataFile& file);

}  // namespace plimsoll
