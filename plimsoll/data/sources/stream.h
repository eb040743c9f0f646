// Data that only comes batch by batch: of an iterator that may be endless, of unknown length, or
// have batches of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "plimsoll/data/source.h"

namespace plimsoll {

// One pass over the batches. It is used by one thread at a time, which is not always the same. What
// it throws comes out of fit, evaluate or predict as it is.
class BatchStream {
 public:
  virtual ~BatchStream() = default;
  // Goes on to the next batch and returns its records; 0: the pass has ended.
  virtual int64_t next() = 0;
  // The fields of one record of that batch, without a batch axis. From batch to batch their shapes
  // may differ, their number and element types may not.
  virtual const Specs& fields() const = 0;
  // The records of that batch, one after the other. Valid until next() or release().
  virtual const std::byte* field(size_t i) const = 0;
  // The bytes of the batch are not needed any longer.
  virtual void release() {}
};

// Begins a pass. Called for each pass; a function that can only go on may return an empty one then.
using OpenStream = std::function<std::unique_ptr<BatchStream>()>;

struct StreamOptions {
  std::optional<int64_t> batches = {};  // of a pass, if that is known before
};

// For Model::fit, evaluate and predict, which take the batches as they come: nothing is shuffled or
// split. The first batch is read when a run is planned, for the plan counts its bytes and what
// making it took for a moment. Its records have no numbers by which they could be read again, so no
// stage can be put upon it.
SourcePtr from_stream(OpenStream open, const StreamOptions& options = {});

}  // namespace plimsoll
