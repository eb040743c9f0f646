// Bytes: the memory of a materialised tensor, a variable or an arena. A block is Storage's own,
// aligned to kAlignment, or foreign: somebody else's memory, such as a NumPy array or a part of
// another block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace plimsoll {

class Storage {
 public:
  static constexpr int64_t kAlignment = 64;

  enum class Pages {
    shared,  // with other blocks of the heap
    own,     // for memory that is kept or only reserved: unwritten pages take no memory
  };

  // Zero-filled. Blocks of 2 MiB and more come straight from the system, rounded up to 2 MiB and
  // advised to huge pages, and go back to it when freed. With pages of their own so do blocks of
  // 128 KiB and more, in small pages.
  explicit Storage(int64_t bytes, Pages pages = Pages::shared);
  // A foreign block. It is never written to and need not be aligned (but see wrap() in
  // graph/tensor.h). `owner` keeps it alive and is let go with the Storage, on whichever thread
  // that is.
  Storage(const std::byte* data, int64_t bytes, std::shared_ptr<const void> owner);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // How many bytes of the system's memory a block of this size takes.
  static int64_t footprint(int64_t bytes);

  std::byte* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  // Makes every page resident, once; the contents stay.
  void touch();
  // Bytes that the system may not have provided yet, in whole pages: 0 once touched.
  int64_t untouched_bytes() const;
  // What keeps the bytes alive: `self`, which points to this, or the owner of a foreign block.
  std::shared_ptr<const void> keeper(const std::shared_ptr<const Storage>& self) const {
    return block_ == nullptr ? owner_ : self;
  }

 private:
  const std::byte* end() const;

  std::byte* data_ = nullptr;
  int64_t bytes_ = 0;         // as asked for
  int64_t mapped_bytes_ = 0;  // 0 when the block is from the heap
  void* block_ = nullptr;     // where it begins; null if it is foreign
  bool touched_ = false;
  std::shared_ptr<const void> owner_;  // of a foreign block
};

using StoragePtr = std::shared_ptr<Storage>;

// Bytes [offset, offset + bytes) of a block, which lives as long as the part does. Nothing is
// copied, and a part of a part keeps the block alone.
StoragePtr part_of(const StoragePtr& block, int64_t offset, int64_t bytes);

}  // namespace plimsoll
