// Records from IDX files, those of the MNIST family: their rows, read with pread as they are asked
// for.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/formats/tables/idx_array.h"

namespace plimsoll {

// A field a file; record i is row i of each, so that images and labels stand together.
// InvalidArgument where they have not as many rows.
SourcePtr idx_source(const std::vector<std::string>& paths, const IdxOptions& options = {});

}  // namespace plimsoll
