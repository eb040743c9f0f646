// Text in tensors. A tensor of strings has one axis more than Keras's: its last axis counts the
// elements, of four bytes, of a slot in which one text ends with zero bytes. So texts take memory
// that is known before they are, and move, batch and copy as numbers do.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#include "plimsoll/tensor/spec.h"

namespace plimsoll {

inline bool holds_text(const Spec& spec) {
  return spec.dtype == DType::string;
}

// The shape as Keras knows it: of text without the axis of slots.
inline Shape shape_of_elements(const Spec& spec) {
  return holds_text(spec) ? spec.shape.without(spec.shape.rank() - 1) : spec.shape;
}

// How many elements a slot has that is large enough for so many bytes; at least one.
inline int64_t slot_for(int64_t bytes) {
  return bytes < 1 ? 1 : (bytes + size_of(DType::string) - 1) / size_of(DType::string);
}

// The bytes of one slot.
inline int64_t slot_bytes(const Spec& spec) {
  return spec.shape.back() * size_of(DType::string);
}

// The text in a slot: all bytes before the zeros at its end.
inline std::string_view text_in(const std::byte* slot, int64_t bytes) {
  const auto* begin = reinterpret_cast<const char*>(slot);
  while (bytes > 0 && begin[bytes - 1] == 0) --bytes;
  return {begin, static_cast<size_t>(bytes)};
}

// Fills the slot; a text that is longer is cut, so whoever reserves slots looks at lengths first.
inline void write_text(std::string_view text, std::byte* slot, int64_t bytes) {
  text = text.substr(0, static_cast<size_t>(bytes));
  std::memcpy(slot, text.data(), text.size());
  std::memset(slot + text.size(), 0, static_cast<size_t>(bytes) - text.size());
}

}  // namespace plimsoll
