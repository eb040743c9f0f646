#include "plimsoll/engine/memory/arena.h"

#include "plimsoll/graph/context.h"

namespace plimsoll {

std::shared_ptr<Arena> Arena::shared() {
  auto& current = Context::current().part<std::weak_ptr<Arena>>();
  std::shared_ptr<Arena> arena = current.lock();
  if (arena == nullptr) current = arena = std::make_shared<Arena>();
  return arena;
}

std::byte* Arena::reserve(int64_t bytes) {
  if (storage_ == nullptr || storage_->bytes() < bytes) {
    storage_.reset();  // first give back, then take: the two never exist together
    storage_ = std::make_unique<Storage>(bytes);
    storage_->touch();
  }
  return storage_->data();
}

}  // namespace plimsoll
