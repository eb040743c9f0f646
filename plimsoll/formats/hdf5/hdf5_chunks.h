// Elements that an HDF5 file keeps in chunks of equal size, which may be compressed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/formats/hdf5/hdf5_block.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

// A step of the way from elements to what is stored.
enum class Hdf5Filter {
  deflate,  // zlib's format
  shuffle,  // the first bytes of all elements, then the second ones, …
};

// Reads a filter pipeline message. Refuses other filters, and says how to rewrite the file.
std::vector<Hdf5Filter> read_filters(Hdf5Block& block);

// Where the chunks of a dataset are: those of the first rows first, each complete.
struct Hdf5Chunks {
  struct Piece {
    uint64_t address;
    uint32_t bytes;    // as stored
    uint32_t skipped;  // bit i: filter i was not used for it
  };

  Shape shape;  // of the dataset
  Shape chunk;  // the last ones may go beyond the end of the dataset
  uint64_t element_bytes = 0;
  std::vector<Hdf5Filter> filters;
  std::vector<Piece> pieces;

  // Bytes of a chunk when it is expanded.
  uint64_t chunk_bytes() const;
  // Rows of the dataset that the chunks of one row of chunks have.
  int64_t slab_rows() const { return std::min(chunk[0], shape[0]); }
  int64_t row_bytes() const;
  // Writes slab_rows() rows from row number slab * slab_rows() on, or as many as there are, as they
  // are in memory. CorruptFile where a chunk is damaged. Safe for threads.
  void read_slab(ByteSource& source, int64_t slab, std::span<std::byte> into) const;
};

// `layout` is a layout message of version 3, whose version and class are read. Refuses chunks that
// are missing, overlap something, or are larger than is read at once.
Hdf5Chunks read_chunks(Hdf5Space& space, Hdf5Block& layout, const Shape& shape,
                       uint64_t element_bytes, std::vector<Hdf5Filter> filters);

}  // namespace plimsoll
