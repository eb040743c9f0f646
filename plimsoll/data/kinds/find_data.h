// Which kind of data is at a path that a person gives.
#pragma once

#include <string>

#include "plimsoll/data/kinds/data_kind.h"

namespace plimsoll {

struct FoundData {
  const DataKind* kind;
  Names files;  // of a folder of images, the folder
};

// A file or a folder; several files separated by commas, by a pattern ("shards/train-*.tar"), or
// all of a kind in a folder, sorted by name. InvalidArgument where it is no data that is known
// here; IoError where there is nothing.
FoundData find_data(const std::string& path);

}  // namespace plimsoll
