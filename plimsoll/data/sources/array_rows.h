// Rows of arrays in files as records.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// Record i is row i of each array; an Array is an NpyArray or the like. InvalidArgument, beginning
// with `path`, where there is no array, or where they differ in their number of rows.
template <class Array>
class ArrayRows final : public Source {
 public:
  ArrayRows(std::string path, std::vector<Array> arrays)
      : path_(std::move(path)), arrays_(std::move(arrays)) {
    if (arrays_.empty()) throw InvalidArgument(path_ + ": expected at least one array, found none");
    for (const Array& array : arrays_) add_field(array);
  }

  int64_t size() const override { return arrays_[0].rows(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override { return fmt::format("{}[{}]", path_, id.number); }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    for (size_t i = 0; i < arrays_.size(); ++i) arrays_[i].read_rows(id.number, 1, into[i]);
  }

  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override {
    for (size_t i = 0; i < arrays_.size(); ++i) {
      arrays_[i].read_rows(first.number, count, into[i]);
      into[i] += count * fields_[i].bytes();
    }
  }

 private:
  void add_field(const Array& array) {
    const Spec& spec = array.spec();
    if (spec.shape.rank() == 0)
      throw InvalidArgument(array.name() +
                            ": is a single number; expected an array whose axis 0 "
                            "is the samples");
    if (array.rows() != size())
      throw InvalidArgument(fmt::format(
          "{}: the arrays must have the same number of samples, found {} in {} and {} in {}", path_,
          size(), arrays_[0].name(), array.rows(), array.name()));
    fields_.push_back({spec.dtype, spec.shape.without(0)});
  }

  std::string path_;
  std::vector<Array> arrays_;
  Specs fields_;
};

template <class Array>
SourcePtr array_rows(std::string path, std::vector<Array> arrays) {
  return std::make_shared<ArrayRows<Array>>(std::move(path), std::move(arrays));
}

}  // namespace plimsoll
