// A tensor in an HDF5 file, in one piece.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/hdf5/hdf5_attribute.h"
#include "plimsoll/formats/hdf5/hdf5_type.h"
#include "plimsoll/tensor/dtype.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

class Hdf5Dataset {
 public:
  // The elements begin at `offset` of the source, and all of them are there.
  Hdf5Dataset(ByteSourcePtr source, std::string path, Hdf5Type type, Shape shape, uint64_t offset,
              Hdf5Attributes attributes);

  // "/layers/dense/vars/0"
  const std::string& path() const { return path_; }
  const Shape& shape() const { return shape_; }
  const Hdf5Attributes& attributes() const { return attributes_; }
  bool is_numeric() const { return type_.kind == Hdf5Type::Kind::number; }
  // The one that holds its numbers best.
  DType dtype() const { return type_.number.dtype(); }
  // Fills `into` with all elements as `dtype` (see read_numbers). Throws IoError, or CorruptFile
  // where the elements are no numbers.
  void read(DType dtype, std::span<std::byte> into) const;

 private:
  ByteSourcePtr source_;
  std::string path_;
  Hdf5Type type_;
  Shape shape_;
  int64_t offset_;
  Hdf5Attributes attributes_;
};

}  // namespace plimsoll
