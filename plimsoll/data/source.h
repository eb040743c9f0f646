// Source: records with random access, each with the same fields (inputs first, then targets).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

class Source {
 public:
  virtual ~Source() = default;
  virtual int64_t size() const = 0;
  // The fields of one record, without a batch axis.
  virtual const Specs& fields() const = 0;
  // Writes each field of the record where `into` says.
  virtual void read(int64_t record, std::span<std::byte* const> into) const = 0;
};

using SourcePtr = std::shared_ptr<const Source>;

// Slices along axis 0 of tensors that are in memory; nothing is copied. InvalidArgument where they
// do not agree on the number of records.
SourcePtr from_tensor_slices(std::vector<HostTensor> tensors);

// Records [begin, end) of another source.
SourcePtr subset(SourcePtr source, int64_t begin, int64_t end);

}  // namespace plimsoll
