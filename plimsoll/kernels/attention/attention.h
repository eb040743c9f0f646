// Attention: softmax(q * kᵀ * scale) * v for each head, a block of queries at a time, so that the
// scores of all queries and keys are never in memory at once. The gradient computes the
// probabilities again.
#pragma once

#include "plimsoll/kernels/attention/attention_form.h"
#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Inputs q (batch, queries, heads, depth), k (batch, keys, heads, depth), v (batch, keys, heads,
// width), the mask if there is one, bool, each axis of (batch, heads, queries, keys) or 1, and the
// random state. Output (batch, queries, heads, width). A query that sees no key weights all keys
// equally.
KernelPtr make_attention(const KernelRequest& request, const AttentionForm& form);

// The same inputs, then dy; outputs dq, dk, dv.
KernelPtr make_attention_gradient(const KernelRequest& request, const AttentionForm& form);

}  // namespace plimsoll::kernels
