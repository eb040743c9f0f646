#include "plimsoll/data/batches.h"

#include <algorithm>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {

Batches::Batches(SourcePtr source, int64_t batch_size)
    : source_(std::move(source)), batch_size_(batch_size) {
  if (batch_size < 1)
    throw InvalidArgument("batch_size: expected 1 or more, found " + std::to_string(batch_size));
  if (source_->size() < 1) throw InvalidArgument("data: there is no record");
  batch_size_ = std::min(batch_size, source_->size());
  for (const Spec& field : source_->fields()) {
    buffers_.push_back(std::make_shared<Storage>(field.bytes() * batch_size_));
    buffers_.back()->touch();
  }
  cursors_.resize(buffers_.size());
}

void Batches::start_epoch() {
  order_.reset();
}

void Batches::start_shuffled_epoch(int64_t seed, int64_t epoch) {
  order_.emplace(source_->size(), shuffle_key(seed, epoch));
}

int64_t Batches::batch_count() const {
  return (source_->size() + batch_size_ - 1) / batch_size_;
}

int64_t Batches::records_of(int64_t index) const {
  return std::min(batch_size_, source_->size() - index * batch_size_);
}

int64_t Batches::record_at(int64_t index, int64_t row) const {
  const int64_t position = index * batch_size_ + row;
  return order_.has_value() ? (*order_)(position) : position;
}

void Batches::load(int64_t index) {
  for (size_t i = 0; i < buffers_.size(); ++i) cursors_[i] = buffers_[i]->data();
  if (!order_.has_value()) {
    source_->read_run(index * batch_size_, records_of(index), cursors_);
    return;
  }
  for (int64_t row = 0; row < records_of(index); ++row)
    source_->read_run(record_at(index, row), 1, cursors_);
}

int64_t Batches::buffer_bytes() const {
  int64_t bytes = 0;
  for (const StoragePtr& buffer : buffers_) bytes += buffer->bytes();
  return bytes;
}

}  // namespace plimsoll
