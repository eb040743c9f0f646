// Batches of data as tensors, for loops that are written by hand:
//
//   for (const Tensors& batch : tensor_batches(data, {.batch_size = 32, .epoch = epoch})) {
//     const Tensor &x = batch[0], &y = batch[1];
//     …
//   }
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>

#include "plimsoll/data/loader/loader.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/data/reading_options.h"

namespace plimsoll {

struct TensorBatchesOptions {
  int64_t batch_size = 32;
  bool shuffle = false;
  int64_t epoch = 0;                  // the order is a function of the seed and of this
  std::optional<int64_t> seed = {};   // none: random_seed()
  std::optional<int64_t> steps = {};  // no more batches than this
  int64_t first = 0;            // the batch that it begins with: those before were seen already
  bool drop_remainder = false;  // no last batch that is smaller
  ReadingOptions reading = {};  // bad records are errors here
};

class TensorBatches {
 public:
  TensorBatches(const Dataset& data, const TensorBatchesOptions& options);

  int64_t size() const { return count_; }
  // The fields of a batch, tensors of their own that may be kept.
  Tensors at(int64_t batch) const;

  class Iterator {
   public:
    Iterator(const TensorBatches* batches, int64_t at) : batches_(batches), at_(at) {}
    Tensors operator*() const { return batches_->at(at_); }
    int64_t number() const { return at_; }
    // What the batch before assigned is computed. Past the last batch an epoch ends.
    Iterator& operator++();
    bool operator==(const Iterator&) const = default;

   private:
    const TensorBatches* batches_;
    int64_t at_;
  };
  Iterator begin() const;
  Iterator end() const { return {this, count_}; }

 private:
  std::shared_ptr<Loader> loader_;  // its buffers are filled by each at()
  int64_t epoch_;
  int64_t first_;
  int64_t count_;
};

// InvalidArgument if there is no data or the batch size makes no sense.
TensorBatches tensor_batches(const Dataset& data, const TensorBatchesOptions& options = {});

}  // namespace plimsoll
