// Sources made of other sources by the numbers of the records alone: nothing is read in advance and
// nothing is kept, so they cost no memory. shuffled() is one more.
#pragma once

#include <vector>

#include "plimsoll/data/source.h"

namespace plimsoll {

// The first `count` records, or all but them; no more than there are.
SourcePtr take(SourcePtr source, int64_t count);
SourcePtr skip(SourcePtr source, int64_t count);

// Every `count`-th record, from `index` on. InvalidArgument unless 0 <= index < count.
SourcePtr shard(SourcePtr source, int64_t count, int64_t index);

// All records, `times` times. Each time is a pass of its own: shuffled and augmented anew.
SourcePtr repeat(SourcePtr source, int64_t times);

// The records of one source after those of the other. InvalidArgument where their fields differ.
SourcePtr concatenate(std::vector<SourcePtr> sources);

struct InterleaveOptions {
  int64_t cycle_length = 0;  // sources that take turns; 0: all
  int64_t block_length = 1;  // records in a turn
};

// Records of several sources in turns. When a source has ended, the next source that has had no
// turn yet takes its place. InvalidArgument where their fields differ.
SourcePtr interleave(std::vector<SourcePtr> sources, const InterleaveOptions& options = {});

// The fields of all sources together, record by record; as many as the shortest has.
SourcePtr zipped(std::vector<SourcePtr> sources);

}  // namespace plimsoll
