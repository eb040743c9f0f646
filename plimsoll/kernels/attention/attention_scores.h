// The computations on a block of attention scores, row by row, between the products.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/random/random_words.h"

namespace plimsoll::kernels {

// A block of scores of one head: rows of queries, columns of keys.
struct ScoreBlock {
  int64_t rows = 0, keys = 0;
  int64_t stride = 0;       // floats from a row to the next
  int64_t first_query = 0;  // the position of row 0
  float scale = 1;
  bool causal = false;
  const uint8_t* mask = nullptr;  // of row 0 and key 0; null: all pairs count
  int64_t mask_row = 0;           // bytes from a row's mask to the next
  bool mask_keys = false;         // one byte per key, else one for all keys of a row
};

// Scores become probabilities, in place.
void softmax_scores(const ScoreBlock& block, float* scores);

// Gradients of probabilities become those of the products that the scores are made from, in place.
void softmax_scores_gradient(const ScoreBlock& block, const float* probabilities, float* gradients);

// Drops elements of a block as dropout does those of a tensor (batch, heads, queries, all keys).
struct ScoreDropout {
  Draw draw;
  uint32_t threshold = 0;
  float scale = 1;
  int64_t all_keys = 0;

  // `first` is the element of row 0 and key 0 in the sample. `from` and `to` may be the same.
  void run(const ScoreBlock& block, uint32_t sample, int64_t first, const float* from,
           float* to) const;
};

}  // namespace plimsoll::kernels
