// A tensor in an HDF5 file, in one piece or in chunks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/hdf5/hdf5_attribute.h"
#include "plimsoll/formats/hdf5/hdf5_chunks.h"
#include "plimsoll/formats/hdf5/hdf5_type.h"
#include "plimsoll/tensor/dtype.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

// Where the elements are, all of which are there.
struct Hdf5Place {
  int64_t offset = 0;                             // of the first, in one piece
  std::shared_ptr<const Hdf5Chunks> chunks = {};  // null: they are in one piece
};

class Hdf5Dataset {
 public:
  Hdf5Dataset(ByteSourcePtr source, std::string path, Hdf5Type type, Shape shape, Hdf5Place place,
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

  bool is_in_one_piece() const { return place_.chunks == nullptr; }
  // Rows [first, first + count) along axis 0 of a dataset in one piece, as dtype(). InvalidArgument
  // where they do not all exist, or it is in chunks.
  void read_rows(int64_t first, int64_t count, std::byte* into) const;
  // The same dataset in one piece: one that is in chunks is written to a file without a name on the
  // disk of `folder`, a few rows at a time.
  Hdf5Dataset in_one_piece(const std::string& folder) const;

 private:
  template <class Use>
  void for_each_slab(const Use& use) const;
  void expect_numbers(DType dtype) const;

  ByteSourcePtr source_;
  std::string path_;
  Hdf5Type type_;
  Shape shape_;
  Hdf5Place place_;
  Hdf5Attributes attributes_;
};

}  // namespace plimsoll
