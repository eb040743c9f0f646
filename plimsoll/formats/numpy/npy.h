// NumPy's .npy arrays: read a range of rows at a time, written row by row.
#pragma once

#include <span>
#include <string>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/numpy/npy_header.h"
#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

// An array in a file. Only the header is read beforehand; a shared handle, safe
// for threads.
class NpyArray {
 public:
  // CorruptFile, naming the file and the place, if it is not a whole array
  // of numbers.
  explicit NpyArray(ByteSourcePtr file);

  const std::string& name() const { return file_->name(); }
  // What reading gives: the element type is the nearest one of ours (see
  // npy_type.h).
  const Spec& spec() const { return spec_; }
  // Rows are along axis 0; a scalar is one row.
  int64_t rows() const;
  int64_t row_bytes() const;
  // True if rows in the file are rows in memory. If not (Fortran order), a row
  // costs one read per element: see in_row_order.
  bool is_row_order() const;

  // Writes rows [first, first + count), row-major, into `into`, which has
  // row_bytes() for each.
  void read_rows(int64_t first, int64_t count, std::byte* into) const;
  // The whole array. InvalidArgument if it takes more than `max_bytes`.
  HostTensor read(int64_t max_bytes = int64_t{1} << 40) const;

 private:
  void read_elements(int64_t first, int64_t count, std::byte* into) const;
  void read_columns(int64_t first, int64_t count, std::byte* into) const;

  ByteSourcePtr file_;
  NpyHeader header_;
  Spec spec_;
};

// The same array with its rows in order, written to an unnamed file in `folder`
// (empty: the system's temporary folder). Takes a few MiB of memory.
NpyArray in_row_order(const NpyArray& array, const std::string& folder);

}  // namespace plimsoll
