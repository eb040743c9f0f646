#include "tests/support/guarded_buffer.h"

#include <algorithm>

#include "plimsoll/tensor/storage.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

namespace plimsoll::testing {
namespace {

constexpr int64_t kFenceBytes = 256;
constexpr std::byte kFence{0xA5};

}  // namespace

GuardedBuffer::GuardedBuffer(int64_t bytes, int64_t shift)
    : block_(static_cast<size_t>(bytes + 2 * kFenceBytes + 2 * Storage::kAlignment), kFence),
      size_(bytes) {
  const auto start = reinterpret_cast<uintptr_t>(block_.data()) + kFenceBytes;
  const auto aligned =
      (start + Storage::kAlignment - 1) / Storage::kAlignment * Storage::kAlignment;
  data_ = block_.data() + kFenceBytes + (aligned - start) + shift;
  std::fill_n(data_, size_, std::byte{0xFF});
  ASAN_POISON_MEMORY_REGION(data_ - kFenceBytes, kFenceBytes);
  ASAN_POISON_MEMORY_REGION(data_ + size_, kFenceBytes);
}

GuardedBuffer::~GuardedBuffer() {
  ASAN_UNPOISON_MEMORY_REGION(block_.data(), block_.size());
}

bool GuardedBuffer::fence_is_intact() const {
  ASAN_UNPOISON_MEMORY_REGION(data_ - kFenceBytes, kFenceBytes);
  ASAN_UNPOISON_MEMORY_REGION(data_ + size_, kFenceBytes);
  const auto is_fence = [](std::byte b) { return b == kFence; };
  return std::all_of(data_ - kFenceBytes, data_, is_fence) &&
         std::all_of(data_ + size_, data_ + size_ + kFenceBytes, is_fence);
}

}  // namespace plimsoll::testing
