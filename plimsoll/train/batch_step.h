// BatchStep: how one batch runs: as one step, or as steps over its parts and one that ends it.
#pragma once

#include <algorithm>
#include <memory>

#include "plimsoll/engine/compiled_step.h"

namespace plimsoll {

using StepPtr = std::shared_ptr<CompiledStep>;

// Where a part stands in its batch: inputs of its step behind the fields of the data.
struct PartPlace {
  int64_t first = 0;     // sample
  bool is_first = true;  // part of the batch
};

// The samples of a batch spread evenly over parts: the first of them have one sample more.
struct PartSizes {
  // No part has more than `most` samples; 0: the batch is one part.
  PartSizes(int64_t batch_size, int64_t most)
      : batch(batch_size),
        count(most == 0 ? 1 : (batch_size + most - 1) / most),
        large(count == 0 ? 0 : (batch_size + count - 1) / count),
        large_count(count == 0 ? 0 : batch_size - count * (large - 1)) {}

  int64_t size(int64_t part) const { return part < large_count ? large : large - 1; }
  int64_t first(int64_t part) const {
    return part * large - std::max<int64_t>(0, part - large_count);
  }
  bool is_even() const { return large_count == count; }

  int64_t batch, count, large, large_count;
};

struct BatchStep {
  // The steps of larger and smaller parts; the latter null where all are alike.
  struct Pair {
    StepPtr large, small;
    CompiledStep& of(const PartSizes& sizes, int64_t part) const {
      return sizes.size(part) == sizes.large ? *large : *small;
    }
  };

  PartSizes sizes;
  Pair parts;
  Pair divisors = {};  // run before, over all parts; null where the sizes tell the divisors
  StepPtr end = {};    // null where the batch is one part

  bool is_whole() const { return end == nullptr; }
  // Of the whole batch, as predicted.
  double seconds() const;
};

}  // namespace plimsoll
