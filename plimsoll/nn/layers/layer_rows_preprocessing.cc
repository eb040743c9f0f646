// Layers that make numbers of text and categories.
#include "plimsoll/nn/layers/layer_rows.h"
#include "plimsoll/nn/preprocessing/categories.h"
#include "plimsoll/nn/preprocessing/hashing.h"
#include "plimsoll/nn/preprocessing/index_lookup.h"
#include "plimsoll/nn/preprocessing/text_vectorization.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

Layer category_encoding_example() {
  return CategoryEncoding({.num_tokens = 4, .output_mode = "count"});
}
Layer discretization_example() {
  return Discretization({.bin_boundaries = {0.5, 2}, .output_mode = "one_hot"});
}
Layer hashed_crossing_example() {
  return HashedCrossing({.num_bins = 5, .output_mode = "one_hot"});
}
Layer hashing_example() {
  return Hashing({.num_bins = 5, .mask_value = "a", .salt = {3, 4}, .output_mode = "multi_hot"});
}
Layer integer_lookup_example() {
  return IntegerLookup({.num_oov_indices = 2, .vocabulary = {1, 3}, .output_mode = "multi_hot"});
}
Layer string_lookup_example() {
  return StringLookup({.mask_token = "b", .vocabulary = {"a", "c"}, .output_mode = "count"});
}
Layer text_vectorization_example() {
  return TextVectorization({.ngrams = {2},
                            .output_mode = "tf_idf",
                            .vocabulary = {"a", "b", "a b"},
                            .idf_weights = {0.5, 2, 3}});
}

}  // namespace

LayerRows preprocessing_layer_rows() {
  return {
      {"CategoryEncoding",
       from_config<CategoryEncoding, CategoryEncodingOptions>,
       category_encoding_example,
       {{3, 4}},
       {},
       DType::int32},
      {"Discretization",
       from_config<Discretization, DiscretizationOptions>,
       discretization_example,
       {{3, 4}},
       {},
       DType::int32},
      {"HashedCrossing",
       from_config<HashedCrossing, HashedCrossingOptions>,
       hashed_crossing_example,
       {{3, 1}, {3, 1}},
       {},
       DType::string},
      {"Hashing",
       from_config<Hashing, HashingOptions>,
       hashing_example,
       {{3, 4}},
       {},
       DType::string},
      {"IntegerLookup",
       from_config<IntegerLookup, IntegerLookupOptions>,
       integer_lookup_example,
       {{3, 4}},
       {},
       DType::int32},
      {"StringLookup",
       from_config<StringLookup, StringLookupOptions>,
       string_lookup_example,
       {{3, 4}},
       {},
       DType::string},
      {"TextVectorization",
       from_config<TextVectorization, TextVectorizationOptions>,
       text_vectorization_example,
       {{3}},
       {},
       DType::string},
  };
}

}  // namespace plimsoll
