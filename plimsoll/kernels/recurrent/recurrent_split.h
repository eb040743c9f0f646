// How the work of a recurrent sequence is cut: the batch into parts for threads and blocks for the
// cache, the gates' columns into the products that make them.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/kernels/recurrent/recurrent_form.h"

namespace plimsoll::kernels {

// Rows of a batch do not depend on each other: a thread takes its part of them through all steps
// without waiting for the others, block after block.
struct RecurrentSplit {
  int64_t batch = 0;
  int64_t parts = 1, part_rows = 0, block_rows = 0;
  // True if there are too few rows to share: then there is one part, and all threads work together
  // on each product.
  bool shared = false;

  struct Block {
    int64_t first = 0, rows = 0;
  };
  std::vector<Block> blocks_of(int64_t part) const;
  // Every size that a block has.
  std::vector<int64_t> block_sizes() const;
};

// `columns`: of the products of one step.
RecurrentSplit split_recurrent(const RecurrentSizes& sizes, int64_t columns, int64_t threads);

// Steps that are computed together, so that products over all their rows have about `rows` rows.
int64_t steps_together(int64_t block_rows, int64_t rows, int64_t steps);

// One product of x or h with columns [column, column + width) of its kernel, into the gates.
struct RecurrentLink {
  int64_t column = 0, width = 0, gate_column = 0;
  int dropout = -1;    // which set of factors is on x or h; -1: none
  bool reset = false;  // takes r * h
};

std::vector<RecurrentLink> input_links(const RecurrentForm& form, int64_t units);
std::vector<RecurrentLink> recurrent_links(const RecurrentForm& form, int64_t units);

// Offsets in scratch, each at a multiple of 64 bytes.
class ScratchLayout {
 public:
  // The offset in floats of a new buffer.
  int64_t add(int64_t floats) {
    const int64_t offset = floats_;
    floats_ += (floats + 15) / 16 * 16;
    return offset;
  }
  int64_t floats() const { return floats_; }

 private:
  int64_t floats_ = 0;
};

}  // namespace plimsoll::kernels
