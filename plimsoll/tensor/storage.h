// Owned, aligned bytes: what a materialised tensor, a variable or an arena stands on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace plimsoll {

class Storage {
 public:
  static constexpr int64_t kAlignment = 64;

  // Zero-filled. Blocks of 2 MiB and more come straight from the system, rounded up to 2 MiB and
  // advised to huge pages, and go back to it when freed.
  explicit Storage(int64_t bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // What a block of so many bytes takes of the system.
  static int64_t footprint(int64_t bytes);

  std::byte* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  // Makes every page resident now; the contents stay.
  void touch();
  // What the system may still have to find room for: 0 once touched.
  int64_t untouched_bytes() const { return touched_ ? 0 : mapped_bytes_; }

 private:
  std::byte* data_ = nullptr;
  int64_t bytes_ = 0;         // as asked for
  int64_t mapped_bytes_ = 0;  // 0 when the block is from the heap
  void* heap_block_ = nullptr;
  bool touched_ = false;
};

using StoragePtr = std::shared_ptr<Storage>;

}  // namespace plimsoll
