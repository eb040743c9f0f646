// What the ops on text share: no gradient flows through them, and every sample is by itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {

class TextOp : public Op {
 public:
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }
  // The axis of bytes, or of the places that are counted, is never the first.
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.are_rows(); }
};

// Text i of a reference's tensor of strings.
inline std::string text_of(const Array& texts, int64_t i) {
  const int64_t slot = texts.spec.shape.back();
  std::vector<float> elements(static_cast<size_t>(slot));
  for (int64_t k = 0; k < slot; ++k)
    elements[static_cast<size_t>(k)] = static_cast<float>(texts[i * slot + k]);
  return std::string(text_in(std::as_bytes(std::span(elements)).data(), slot_bytes(texts.spec)));
}

}  // namespace plimsoll
