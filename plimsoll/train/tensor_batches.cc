#include "plimsoll/train/tensor_batches.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/loop_watch.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/nn/clock.h"

namespace plimsoll {

TensorBatches::TensorBatches(const Dataset& data, const TensorBatchesOptions& options) {
  if (data.source == nullptr) throw InvalidArgument("tensor_batches: there is no data");
  batches_ = std::make_shared<Batches>(data.source, options.batch_size);
  if (options.shuffle)
    batches_->start_shuffled_epoch(options.seed.value_or(random_seed()), options.epoch);
  else
    batches_->start_epoch();
  count_ = batches_->batch_count();
  const bool is_uneven = batches_->records_of(count_ - 1) < options.batch_size;
  if (options.drop_remainder && is_uneven) --count_;
  count_ = std::min(count_, options.steps.value_or(count_));
}

TensorBatches::Iterator TensorBatches::begin() const {
  LoopWatch::current().begin_data();
  return {this, 0};
}

TensorBatches::Iterator& TensorBatches::Iterator::operator++() {
  // A loop that only updates a metric would else keep every batch until it asks for the result.
  if (!pending_work().assigned.empty() && !GradientTape::recording()) evaluate({});
  if (++at_ == batches_->size()) LoopWatch::current().end_data();
  return *this;
}

Tensors TensorBatches::at(int64_t batch) const {
  batches_->load(batch);
  Tensors tensors;
  const Specs& fields = batches_->source().fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    const Spec spec{fields[i].dtype, fields[i].shape.with(0, batches_->records_of(batch))};
    auto storage = std::make_shared<Storage>(spec.bytes());
    std::memcpy(storage->data(), batches_->field(static_cast<int>(i)),
                static_cast<size_t>(spec.bytes()));
    tensors.push_back(wrap(std::move(storage), spec));
  }
  return tensors;
}

TensorBatches tensor_batches(const Dataset& data, const TensorBatchesOptions& options) {
  return TensorBatches(data, options);
}

}  // namespace plimsoll
