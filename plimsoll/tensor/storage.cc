#include "plimsoll/tensor/storage.h"

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kHugePage = int64_t{2} << 20, kPage = 4096;

std::byte* map(int64_t bytes) {
  void* raw = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    throw DoesNotFit(fmt::format("memory: the system refused {} bytes", bytes));
  return static_cast<std::byte*>(raw);
}

// mmap aligns to 4 KiB only; a block that is to use huge pages must start on one.
std::byte* map_aligned(int64_t bytes) {
  const size_t span = static_cast<size_t>(bytes + kHugePage);
  std::byte* begin = map(bytes + kHugePage);
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

Storage::Storage(int64_t bytes, Pages pages) : bytes_(bytes) {
  constexpr int64_t kWorthPages = int64_t{128} << 10;
  if (bytes >= kHugePage) {
    mapped_bytes_ = footprint(bytes);
    block_ = data_ = map_aligned(mapped_bytes_);
    return;
  }
  if (pages == Pages::own && bytes >= kWorthPages) {
    // Not on the edge of a page, as the heap would not: equal places in pages share cache lines.
    mapped_bytes_ = (bytes + kAlignment + kPage - 1) / kPage * kPage;
    block_ = map(mapped_bytes_);
    data_ = static_cast<std::byte*>(block_) + kAlignment;
    return;
  }
  // calloc knows which memory is zero already and does not touch it.
  block_ = std::calloc(1, static_cast<size_t>(footprint(bytes) + 2 * kAlignment));
  if (block_ == nullptr) throw std::bad_alloc();
  auto* block = static_cast<std::byte*>(block_);
  data_ = block + (kAlignment - reinterpret_cast<uintptr_t>(block) % kAlignment) % kAlignment;
}

Storage::Storage(const std::byte* data, int64_t bytes, std::shared_ptr<const void> owner)
    : data_(const_cast<std::byte*>(data)),  // the engine writes into blocks that it made alone
      bytes_(bytes),
      touched_(true),
      owner_(std::move(owner)) {}

Storage::~Storage() {
  if (mapped_bytes_ > 0)
    munmap(block_, static_cast<size_t>(mapped_bytes_));
  else
    std::free(block_);
}

void Storage::touch() {
  if (touched_) return;
  // A write, for a read of fresh memory maps one shared page of zeros.
  for (std::byte* at = data_; at < end(); at += kPage) {
    volatile std::byte* page = at;
    *page = *page;
  }
  touched_ = true;
}

const std::byte* Storage::end() const {
  return mapped_bytes_ > 0 ? static_cast<std::byte*>(block_) + mapped_bytes_ : data_ + bytes_;
}

// Memory of the heap may have been used before, so the system is asked which pages are resident.
int64_t Storage::untouched_bytes() const {
  if (touched_) return 0;
  auto* first_page =
      reinterpret_cast<std::byte*>(reinterpret_cast<uintptr_t>(data_) / kPage * kPage);
  std::vector<unsigned char> is_resident(
      static_cast<size_t>((end() - first_page + kPage - 1) / kPage));
  if (mincore(first_page, static_cast<size_t>(end() - first_page), is_resident.data()) != 0)
    return end() - data_;
  const auto absent =
      std::ranges::count_if(is_resident, [](unsigned char it) { return (it & 1) == 0; });
  return std::min<int64_t>(end() - data_, absent * kPage);
}

StoragePtr part_of(const StoragePtr& block, int64_t offset, int64_t bytes) {
  if (offset < 0 || bytes < 0 || offset + bytes > block->bytes())
    throw Error(fmt::format("storage: bytes {} to {} are not all in a block of {}", offset,
                            offset + bytes, block->bytes()));
  return std::make_shared<Storage>(block->data() + offset, bytes, block->keeper(block));
}

}  // namespace plimsoll
