#include "plimsoll/formats/bytes/scratch_bytes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll {
namespace {

constexpr size_t kMostKeptBytes = 4 << 20;  // of one block
constexpr size_t kSmallestBytes = 64 << 10;

using Blocks = std::array<ScratchBytes::Block, 3>;  // those without bytes are free places

Blocks& kept_blocks() {
  thread_local Blocks blocks;
  return blocks;
}

ScratchBytes::Block& smallest(Blocks& blocks) {
  return *std::ranges::min_element(blocks, {}, &ScratchBytes::Block::capacity);
}

}  // namespace

ScratchBytes::ScratchBytes(size_t size) : size_(size) {
  for (Block& kept : kept_blocks())
    if (kept.capacity >= size && (block_.capacity == 0 || kept.capacity < block_.capacity))
      std::swap(kept, block_);
  if (block_.capacity >= size && block_.bytes) return;
  const size_t capacity = std::max(size + size / 4, kSmallestBytes);
  block_ = {std::make_unique_for_overwrite<std::byte[]>(capacity), capacity};
}

ScratchBytes::~ScratchBytes() {
  if (block_.capacity > kMostKeptBytes) return;
  Block& place = smallest(kept_blocks());
  if (place.capacity < block_.capacity) std::swap(place, block_);
}

}  // namespace plimsoll
