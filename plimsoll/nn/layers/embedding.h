// Embedding: whole numbers become rows of a table.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct EmbeddingOptions {
  int64_t input_dim = 0;   // rows of the table: numbers are 0 … input_dim - 1
  int64_t output_dim = 0;  // floats per row
  Initializer embeddings_initializer = "uniform";
  Regularizer embeddings_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint embeddings_constraint = {};
  bool mask_zero = false;  // 0 means "nothing here": later layers ignore it
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, EmbeddingOptions& options);

// (batch, …) -> (batch, …, output_dim). If a number is outside the table, the step throws an error
// that names the sample and the number.
struct Embedding : Layer {
  explicit Embedding(const EmbeddingOptions& options = {});
};

}  // namespace plimsoll
