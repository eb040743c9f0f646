// Sequences of different lengths, sorted into buckets, so that a batch is padded to the length of
// its bucket and not to that of the longest record of all.
#pragma once

#include <functional>
#include <vector>

#include "plimsoll/data/stages/mapped.h"

namespace plimsoll {

struct BucketOptions {
  // Lengths, rising: a record goes to the first that is not below its own, or to a last bucket of
  // the whole length.
  std::vector<int64_t> boundaries;
  std::vector<int> fields = {0};  // that are cut; axis 0 is the steps of the sequence
  // How many steps a record has. None: up to the last one of the first of `fields` that is not all
  // zeros.
  std::function<int64_t(const RecordReader&)> length = {};
};

// One source for each bucket that has records, the shortest first, in which the fields are cut to
// the bucket's length. Reads all records once, now, and holds eight bytes for each.
// InvalidArgument where the options cannot be.
std::vector<SourcePtr> bucketed(const SourcePtr& source, const BucketOptions& options);

}  // namespace plimsoll
