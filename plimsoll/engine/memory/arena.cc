#include "plimsoll/engine/memory/arena.h"

namespace plimsoll {

std::shared_ptr<Arena> Arena::shared() {
  thread_local std::weak_ptr<Arena> current;
  std::shared_ptr<Arena> arena = current.lock();
  if (arena == nullptr) current = arena = std::make_shared<Arena>();
  return arena;
}

std::byte* Arena::reserve(int64_t bytes) {
  if (storage_ == nullptr || storage_->bytes() < bytes) {
    storage_.reset();  // first give back, then take: the two never stand side by side
    storage_ = std::make_unique<Storage>(bytes);
    storage_->touch();
  }
  return storage_->data();
}

}  // namespace plimsoll
