// HeapGuard: ends a command with a refusal before the system would kill it for the memory that
// reading a model and planning take.
#pragma once

#include <cstdint>
#include <new>

namespace plimsoll::cli {

// While one is open, an allocation of this thread that would lift the process over its limit throws
// Exhausted. One at a time.
class HeapGuard {
 public:
  // The limit is what this process holds and may still take, by the machine and its control groups.
  HeapGuard();
  ~HeapGuard();
  HeapGuard(const HeapGuard&) = delete;
  HeapGuard& operator=(const HeapGuard&) = delete;

  // Made without an allocation.
  class Exhausted final : public std::bad_alloc {
   public:
    explicit Exhausted(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}
    const char* what() const noexcept override { return "planning takes too much memory"; }
    int64_t limit_bytes() const { return limit_bytes_; }

   private:
    int64_t limit_bytes_;
  };
};

}  // namespace plimsoll::cli
