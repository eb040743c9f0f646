// Operations on text, and on the numbers that are made of it. None of them has a gradient.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/text/index_table.h"
#include "plimsoll/ops/text/tokenizer.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {

// A constant of texts, in slots as long as the longest of them.
Tensor texts(std::span<const std::string> values, const Shape& shape, Place where = Place::here());
// Every text of a tensor of strings, row-major.
std::vector<std::string> to_texts(const Tensor& tensor);

// The index of each text or number, int64. InvalidArgument, when it runs, at a word that is not in
// a vocabulary without indices for unknown words.
Tensor lookup_indices(const Operand& words, TablePtr<std::string> table);
Tensor lookup_indices(const Operand& words, TablePtr<int64_t> table);

// The word of each index: text in slots of the longest word, or int64.
Tensor lookup_words(const Operand& indices, TablePtr<std::string> table);
Tensor lookup_words(const Operand& indices, TablePtr<int64_t> table);

// The bin of each text or integer, int64.
Tensor hash_bins(const Operand& x, int64_t bins, const HashRule& rule = {});
// The bin of the texts or integers at the same place of each tensor together, int64.
Tensor cross_bins(const Tensors& x, int64_t bins, Place where = Place::here());

// The indices of the tokens of each row of texts, int64 (…, length), filled up with `filler`. The
// last axis of `rows` counts the texts of a row. Tokens after `length` are dropped; without it
// there are as many places as texts of that many bytes can have tokens.
Tensor token_indices(const Operand& rows, const Tokenizer& tokenizer, TablePtr<std::string> table,
                     std::optional<int64_t> length, int64_t filler);

// How often each index from 0 to depth - 1 is among the last axis of x: (…, n) to (…, depth),
// float32; or 1 where it is there at all. Larger indices are not counted, negative ones are an
// error.
Tensor count_indices(const Operand& x, int64_t depth, bool is_binary);
// The same; each occurrence counts as much as the weight at its place.
Tensor count_indices(const Operand& x, const Operand& weights, int64_t depth);

// How many of the boundaries, which are sorted, are not above each number: int32.
Tensor bucketize(const Operand& x, const std::vector<double>& boundaries);

}  // namespace plimsoll
