// Masks that say which positions of a query may see which positions of a value.
#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// True where the mask is not 0.
Tensor as_mask(const Tensor& mask);

// True where both masks are; if only one is defined, that one.
Tensor both_masks(const Tensor& a, const Tensor& b);

// (1, queries, keys): a query sees no key after its own position.
Tensor causal_mask(int64_t queries, int64_t keys);
// (1, queries, keys): a query sees keys that are less than `window` positions away.
Tensor window_mask(int64_t queries, int64_t keys, int64_t window);

// (batch, queries, 1) of a query's mask (batch, queries), and (batch, 1, keys) of a value's;
// undefined of an undefined one.
Tensor mask_of_queries(const Tensor& mask);
Tensor mask_of_keys(const Tensor& mask);

// A mask (…, queries, keys) of rank 2 to 4 with the axes of (batch, heads, queries, keys), those
// that it lacks being 1.
Tensor with_heads(Tensor mask);

}  // namespace plimsoll
