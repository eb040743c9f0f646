// Memory for the time of a call, kept by the thread for its next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace plimsoll {

// `size` bytes, not set to anything. A thread keeps a few of the blocks that it has used, none of
// more than 4 MiB; larger ones are given back at once.
class ScratchBytes {
 public:
  explicit ScratchBytes(size_t size);
  ~ScratchBytes();
  ScratchBytes(const ScratchBytes&) = delete;
  ScratchBytes& operator=(const ScratchBytes&) = delete;

  std::span<std::byte> bytes() { return {block_.bytes.get(), size_}; }
  uint8_t* data() { return reinterpret_cast<uint8_t*>(block_.bytes.get()); }
  size_t size() const { return size_; }

  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t capacity = 0;
  };

 private:
  Block block_;
  size_t size_;
};

}  // namespace plimsoll
