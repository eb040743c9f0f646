#include "plimsoll/tensor/storage.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kHugePage = int64_t{2} << 20;

// mmap aligns to 4 KiB only; a block that is to use huge pages must start on one.
std::byte* map_aligned(int64_t bytes) {
  const size_t span = static_cast<size_t>(bytes + kHugePage);
  void* raw = mmap(nullptr, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    throw DoesNotFit("memory: the system refused " + std::to_string(bytes) + " bytes");
  auto* begin = static_cast<std::byte*>(raw);
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const size_t head = (static_cast<size_t>(kHugePage) - address % kHugePage) % kHugePage;
  if (head > 0) munmap(begin, head);
  munmap(begin + head + bytes, span - head - static_cast<size_t>(bytes));
  madvise(begin + head, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return begin + head;
}

}  // namespace

int64_t Storage::footprint(int64_t bytes) {
  const int64_t unit = bytes >= kHugePage ? kHugePage : kAlignment;
  return (bytes + unit - 1) / unit * unit;
}

Storage::Storage(int64_t bytes) : bytes_(bytes) {
  if (bytes >= kHugePage) {
    mapped_bytes_ = footprint(bytes);
    data_ = map_aligned(mapped_bytes_);
    return;
  }
  // calloc knows which memory is zero already and does not touch it.
  heap_block_ = std::calloc(1, static_cast<size_t>(footprint(bytes) + 2 * kAlignment));
  if (heap_block_ == nullptr) throw std::bad_alloc();
  auto* block = static_cast<std::byte*>(heap_block_);
  data_ = block + (kAlignment - reinterpret_cast<uintptr_t>(block) % kAlignment) % kAlignment;
}

Storage::~Storage() {
  if (mapped_bytes_ > 0)
    munmap(data_, static_cast<size_t>(mapped_bytes_));
  else
    std::free(heap_block_);
}

void Storage::touch() {
  constexpr int64_t kPage = 4096;
  // A write, for a read of fresh memory maps one shared page of zeros.
  const int64_t bytes = mapped_bytes_ > 0 ? mapped_bytes_ : bytes_;
  for (int64_t at = 0; at < bytes; at += kPage) {
    volatile std::byte* page = data_ + at;
    *page = *page;
  }
  touched_ = true;
}

}  // namespace plimsoll
