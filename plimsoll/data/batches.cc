#include "plimsoll/data/batches.h"

#include <algorithm>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {

int64_t batch_size_of(const Source& source, int64_t asked) {
  if (asked < 1)
    throw InvalidArgument("batch_size: expected 1 or more, found " + std::to_string(asked));
  if (source.size() < 1) throw InvalidArgument("data: there is no record");
  return std::min(asked, source.size());
}

Batches::Batches(SourcePtr source, int64_t batch_size, int64_t part_size)
    : source_(std::move(source)), batch_size_(batch_size_of(*source_, batch_size)) {
  part_size_ = part_size == 0 ? batch_size_ : std::min(part_size, batch_size_);
  for (const Spec& field : source_->fields())
    buffers_.push_back(std::make_shared<Storage>(field.bytes() * part_size_));
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

void Batches::load(int64_t index, int64_t first, int64_t count) {
  for (size_t i = 0; i < buffers_.size(); ++i) cursors_[i] = buffers_[i]->data();
  if (!order_.has_value()) {
    source_->read_run(index * batch_size_ + first, count, cursors_);
    return;
  }
  for (int64_t row = first; row < first + count; ++row)
    source_->read_run(record_at(index, row), 1, cursors_);
}

void Batches::touch() {
  for (const StoragePtr& buffer : buffers_) buffer->touch();
}

int64_t Batches::untouched_bytes() const {
  int64_t bytes = 0;
  for (const StoragePtr& buffer : buffers_) bytes += buffer->untouched_bytes();
  return bytes;
}

int64_t Batches::buffer_bytes() const {
  int64_t bytes = 0;
  for (const StoragePtr& buffer : buffers_) bytes += buffer->bytes();
  return bytes;
}

}  // namespace plimsoll
