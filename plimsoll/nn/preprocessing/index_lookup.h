// StringLookup and IntegerLookup: words become their numbers in a vocabulary, or vectors, and back.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/preprocessing/index_lookup_options.h"

namespace plimsoll {

struct StringLookup : Layer {
  explicit StringLookup(const StringLookupOptions& options = {});
  // Takes the words of the data for its vocabulary: the most frequent first, and of those that are
  // equally frequent the last in the order of their bytes. Rows of the last axis are documents.
  void adapt(const Tensor& data) const;
  // All indices in order: the mask, the unknown, the words.
  std::vector<std::string> vocabulary() const;
};

struct IntegerLookup : Layer {
  explicit IntegerLookup(const IntegerLookupOptions& options = {});
  void adapt(const Tensor& data) const;
  std::vector<int64_t> vocabulary() const;
};

}  // namespace plimsoll
