// Records from IDX files, those of the MNIST family: their rows, read with pread as they are asked
// for.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/formats/tables/idx_array.h"

namespace plimsoll {

// One field per file; record i is row i of each, so that an image and its label are one record.
// InvalidArgument where the files differ in their number of rows.
SourcePtr idx_source(const std::vector<std::string>& paths, const IdxOptions& options = {});

}  // namespace plimsoll
