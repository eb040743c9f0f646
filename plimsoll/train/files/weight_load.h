// Values on their way from a file into variables: all are checked before the first is written, so
// that a file that does not fit leaves everything as it was.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/formats/hdf5/hdf5_file.h"
#include "plimsoll/graph/variable.h"
#include "plimsoll/train/files/weight_values.h"

namespace plimsoll {

class WeightLoad {
 public:
  WeightLoad() = default;
  // `file` begins every message.
  explicit WeightLoad(std::string file) : file_(std::move(file)) {}

  // Fills a buffer with the values as `dtype`.
  using Read = std::function<void(DType dtype, std::span<std::byte> into)>;
  // InvalidArgument, beginning with `where`, unless the value has the shape of the variable.
  void add(const Variable& variable, const Shape& found, const std::string& where, Read read);
  void add(const Variable& variable, const Hdf5Dataset& dataset, const std::string& where);
  // Those of `other` too, which come in the place of those for the same variables.
  void add(WeightLoad other);
  // One tensor after another.
  void run();
  // For a file that is written from this one: a value that is still to be read is read when it is
  // asked for, so that one tensor at a time is in memory. Others are those of the variables. To be
  // used while this object lives and run() is not called.
  WeightValues streamed() const;
  // True unless a variable of more than one number has no value here.
  bool holds(const Variables& variables) const;
  // The memory that the largest of the values takes that are still to be read.
  int64_t largest_bytes() const;
  // Only those of one number: the count of steps and the learning rate of an optimizer, which are
  // asked for before a run is planned.
  void run_numbers();

  [[noreturn]] void refuse(const std::string& where, const std::string& why) const;

 private:
  struct Item {
    Variable variable;
    Read read;
  };

  void read(Item& item);

  std::string file_;
  std::vector<Item> items_;
};

}  // namespace plimsoll
