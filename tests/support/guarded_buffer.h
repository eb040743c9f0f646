// Bytes with a fence on either side that shows whether a kernel wrote beyond its tensor. Under
// AddressSanitizer the fence also stops reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll::testing {

class GuardedBuffer {
 public:
  // All bits set, so that what is never written reads as NaN. The data are aligned as a plan's are,
  // then moved by `shift` bytes.
  explicit GuardedBuffer(int64_t bytes, int64_t shift = 0);
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&&) = default;
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  std::byte* data() const { return data_; }
  std::span<const std::byte> bytes() const { return {data_, static_cast<size_t>(size_)}; }
  bool fence_is_intact() const;

 private:
  std::vector<std::byte> block_;
  std::byte* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace plimsoll::testing
