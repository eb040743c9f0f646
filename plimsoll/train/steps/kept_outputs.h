// KeptOutputs: the outputs of all records of a prediction, as batches give them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/graph/tensor.h"

namespace plimsoll {

class KeptOutputs {
 public:
  // Room for `records`; if they are not known, it grows by blocks, so that at no time much more
  // than the outputs is held. `step` is that of a batch of `batch_size`. InvalidArgument where its
  // outputs do not have one row per sample. Unless `is_kept`, nothing is kept.
  KeptOutputs(const CompiledStep& step, int64_t batch_size, std::optional<int64_t> records,
              bool is_kept);

  // The first `records` rows of the step's outputs.
  void add(const CompiledStep& step, int64_t records);
  // Once: everything that was added.
  Tensors take();

 private:
  struct Block {
    StoragePtr bytes;
    int64_t used = 0;
  };
  struct Output {
    Spec row;  // of one record
    std::vector<Block> blocks = {};
  };

  void append(Output& output, const std::byte* rows, int64_t bytes);

  std::vector<Output> outputs_;
  std::optional<int64_t> records_;
  int64_t added_ = 0;
};

}  // namespace plimsoll
