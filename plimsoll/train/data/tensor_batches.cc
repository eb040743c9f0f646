#include "plimsoll/train/data/tensor_batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/engine/memory/loop_watch.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/nn/clock.h"

namespace plimsoll {

TensorBatches::TensorBatches(const Dataset& data, const TensorBatchesOptions& options) {
  if (data.source == nullptr) throw InvalidArgument("tensor_batches: there is no data");
  SourcePtr source = data.source;
  if (options.shuffle) source = shuffled(source, {.seed = options.seed.value_or(random_seed())});
  loader_ = std::make_shared<Loader>(
      source, options.batch_size,
      loader_options(*source, batch_size_of(*source, options.batch_size), {}, options.reading));
  loader_->start_epoch(epoch_ = options.epoch);
  count_ = loader_->batch_count();
  const bool is_uneven = loader_->records_of(count_ - 1) < options.batch_size;
  if (options.drop_remainder && is_uneven) --count_;
  count_ = std::min(count_, options.steps.value_or(count_));
  first_ = options.first;
  if (first_ < 0 || first_ > count_)
    throw InvalidArgument(
        fmt::format("tensor_batches: first must be 0 to {}, found {}", count_, first_));
}

TensorBatches::Iterator TensorBatches::begin() const {
  LoopWatch::current().begin_data();
  return {this, first_};
}

TensorBatches::Iterator& TensorBatches::Iterator::operator++() {
  // A loop that only updates a metric would else keep every batch until it asks for the result.
  if (Context::current().has_assignments() && !GradientTape::recording()) evaluate({});
  if (++at_ == batches_->size()) LoopWatch::current().end_data();
  return *this;
}

Tensors TensorBatches::at(int64_t batch) const {
  const int64_t first = batch * loader_->batch_size();
  if (loader_->next_position() != DataPosition{epoch_, first, first})
    loader_->start({epoch_, first, first});
  const int64_t records = loader_->begin_batch();
  loader_->load();
  Tensors tensors;
  const Specs& fields = loader_->source().fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    const Spec spec{fields[i].dtype, fields[i].shape.with(0, records)};
    auto storage = std::make_shared<Storage>(spec.bytes());
    std::memcpy(storage->data(), loader_->field(static_cast<int>(i)),
                static_cast<size_t>(spec.bytes()));
    tensors.push_back(wrap(std::move(storage), spec));
  }
  return tensors;
}

TensorBatches tensor_batches(const Dataset& data, const TensorBatchesOptions& options) {
  return TensorBatches(data, options);
}

}  // namespace plimsoll
