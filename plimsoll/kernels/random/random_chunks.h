// Walks a tensor in chunks of one sample whose random words are drawn together.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/random/random_words.h"
#include "plimsoll/tensor/layout.h"

namespace plimsoll::kernels {

class RandomChunks {
 public:
  // Blocks of channels must be multiples of 4.
  RandomChunks(const Shape& shape, Layout layout);

  // In parallel, for each chunk: body(words, first, count) with one word for each of the `count`
  // elements from `first` on in memory. Body may overwrite the words.
  template <class Body>
  void for_each(const Draw& draw, Body&& body) const {
    parallel_for(rows_ * row_chunks_, grain_, [&](int64_t begin, int64_t end) {
      uint32_t quads[kDrawQuads] = {}, words[4 * kDrawQuads];
      for (int64_t chunk = begin; chunk < end; ++chunk) {
        const int64_t row = chunk / row_chunks_;
        const int64_t first = chunk % row_chunks_ * kChunk;
        const int64_t count = std::min(kChunk, row_elements_ - first);
        fill_quads(first / 4, (count + 3) / 4, quads);
        draw_words(draw, static_cast<uint32_t>(row), quads, (count + 3) / 4, words);
        body(words, row * row_elements_ + first, count);
      }
    });
  }

 private:
  static constexpr int64_t kChunk = 4 * kDrawQuads;  // elements

  // The logical quads at positions [first, first + count) of a sample's memory.
  void fill_quads(int64_t first, int64_t count, uint32_t* quads) const;

  int64_t rows_ = 1;
  int64_t row_elements_ = 1;
  int64_t row_chunks_ = 1;
  int64_t grain_ = 1;        // chunks
  int64_t block_quads_ = 0;  // quads of a block of channels; 0: row-major
  int64_t blocks_ = 1, inner_ = 1;
};

}  // namespace plimsoll::kernels
