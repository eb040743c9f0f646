// Which kind of data is at a path that a person gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/kinds/data_kind.h"

namespace plimsoll {

struct FoundData {
  const DataKind* kind;
  Names files;  // of a folder of images, the folder
  // Files of a folder that are of no use to its kind, by their paths below it: the first few, and
  // how many there are. `has_other_data` is true if one of them is data of another kind.
  Names others = {};
  int64_t other_count = 0;
  bool has_other_data = false;

  // None where everything is used.
  std::optional<Finding> about_others(const std::string& path) const;
};

// A file or a folder; several files separated by commas, by a pattern ("shards/train-*.tar"), or
// all of a kind in a folder, sorted by name. A folder is what most of its files are, of the first
// 20,000 that are found. InvalidArgument if it is no data that is known here; IoError where
// there is nothing.
FoundData find_data(const std::string& path);

}  // namespace plimsoll
