// The fields of one record, by number and element type: as a function writes them, or reads them.
#pragma once

#include <span>

#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// Where the fields of one record are written.
class RecordWriter {
 public:
  RecordWriter(const Specs& fields, std::span<std::byte* const> into)
      : fields_(fields), into_(into) {}

  // The elements of field i, row-major. InvalidArgument if there is no such field, or T is not
  // its element type.
  template <class T>
  std::span<T> field(int i) const {
    check(i, DTypeOf<T>::value);
    const auto at = static_cast<size_t>(i);
    return {reinterpret_cast<T*>(into_[at]), static_cast<size_t>(fields_[at].shape.elements())};
  }

 private:
  void check(int i, DType dtype) const;

  const Specs& fields_;
  std::span<std::byte* const> into_;
};

// Reads the fields of one record.
class RecordReader {
 public:
  RecordReader(const Specs& fields, std::span<std::byte* const> from)
      : fields_(fields), from_(from) {}

  // The elements of field i, row-major. InvalidArgument if there is no such field, or T is not
  // its element type.
  template <class T>
  std::span<const T> field(int i) const {
    return RecordWriter(fields_, from_).field<T>(i);
  }

 private:
  const Specs& fields_;
  std::span<std::byte* const> from_;
};

}  // namespace plimsoll
