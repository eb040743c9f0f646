// The one block of memory that the compiled steps of a thread take turns in. It is as large as the
// largest of them, touched when it grows, and given back when the last of them is gone.
#pragma once

#include <memory>

#include "plimsoll/tensor/storage.h"

namespace plimsoll {

class Arena {
 public:
  // This thread's arena.
  static std::shared_ptr<Arena> shared();

  // Grows to at least `bytes` (contents are lost) and returns the base, which stays the same until
  // the next growth.
  std::byte* reserve(int64_t bytes);
  int64_t bytes() const { return storage_ == nullptr ? 0 : storage_->bytes(); }

 private:
  std::unique_ptr<Storage> storage_;
};

}  // namespace plimsoll
