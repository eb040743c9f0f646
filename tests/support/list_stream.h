// A stream over batches that a test has made.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "plimsoll/data/sources/stream.h"

namespace plimsoll::testing {

template <class T>
HostTensor host_tensor(const std::vector<T>& values, const Shape& shape) {
  auto storage = std::make_shared<Storage>(static_cast<int64_t>(values.size() * sizeof(T)));
  if (!values.empty()) std::memcpy(storage->data(), values.data(), values.size() * sizeof(T));
  return {{DTypeOf<T>::value, shape}, std::move(storage)};
}

// The fields of a batch; axis 0 counts its records.
using ListedBatch = std::vector<HostTensor>;
using ListedBatches = std::vector<ListedBatch>;

class ListStream final : public BatchStream {
 public:
  explicit ListStream(ListedBatches batches) : batches_(std::move(batches)) {}

  int64_t next() override {
    if (next_ == batches_.size()) return 0;
    fields_.clear();
    for (const HostTensor& field : batches_[next_])
      fields_.push_back({field.spec.dtype, field.spec.shape.without(0)});
    return batches_[next_++][0].spec.shape[0];
  }
  const Specs& fields() const override { return fields_; }
  const std::byte* field(size_t i) const override { return batches_[next_ - 1][i].storage->data(); }

 private:
  ListedBatches batches_;
  size_t next_ = 0;
  Specs fields_;
};

// Every pass has these batches.
inline SourcePtr listed_stream(const ListedBatches& batches, const StreamOptions& options = {}) {
  return from_stream([batches] { return std::make_unique<ListStream>(batches); }, options);
}

}  // namespace plimsoll::testing
