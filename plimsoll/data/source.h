// Source: records with random access, each with the same fields (inputs first, then targets).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

class Source {
 public:
  virtual ~Source() = default;
  virtual int64_t size() const = 0;
  // The fields of one record, without a batch axis.
  virtual const Specs& fields() const = 0;
  // Writes each field of the record where `into` says. Safe to call from several threads. A record
  // that cannot be read is an error that names it.
  virtual void read(int64_t record, std::span<std::byte* const> into) const = 0;
  // Records [first, first + count), one behind the other, and moves `into` behind them: as read()
  // for each, or in one go.
  virtual void read_run(int64_t first, int64_t count, std::span<std::byte*> into) const;
  // What a person calls the record: "photos/cats/3.jpg", "x.npz[17]", "a.csv:18".
  virtual std::string name(int64_t record) const { return std::to_string(record); }
  // What the numbers of the classes stand for, where the data says it.
  virtual std::span<const std::string> class_names() const { return {}; }
};

using SourcePtr = std::shared_ptr<const Source>;

// Slices along axis 0 of tensors that are in memory; nothing is copied. InvalidArgument where they
// do not agree on the number of records.
SourcePtr from_tensor_slices(std::vector<HostTensor> tensors);

// Records [begin, end) of another source.
SourcePtr subset(SourcePtr source, int64_t begin, int64_t end);

}  // namespace plimsoll
