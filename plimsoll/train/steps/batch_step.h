// BatchStep: how one batch runs: as one step, or as steps over its parts and one that ends it.
#pragma once

#include <memory>

#include "plimsoll/data/loader/part_sizes.h"
#include "plimsoll/engine/compiled_step.h"

namespace plimsoll {

using StepPtr = std::shared_ptr<CompiledStep>;

// The place of a part in its batch: inputs of its step that follow the fields of the data.
struct PartPlace {
  int64_t first = 0;     // sample
  bool is_first = true;  // part of the batch
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
  Pair divisors = {};  // run before, over all parts; null where the sizes give the divisors
  StepPtr end = {};    // null where the batch is one part
  bool cuts_sequences = false;  // recurrent layers run in parts of their sequence

  bool is_whole() const { return end == nullptr; }
  // Of the whole batch, as predicted.
  double seconds() const;
};

}  // namespace plimsoll
