// XXH3 (128 bits) names the contents of a text or a file, as `xxhsum -H2` does. Different contents
// have different names; it is not a cryptographic hash, and nothing here needs one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

// 32 hexadecimal digits.
std::string xxh3_of(std::string_view text);

// The same of a text that comes in pieces.
class Xxh3 {
 public:
  Xxh3();
  void add(std::string_view piece);
  std::string text() const;

 private:
  struct Free {
    void operator()(void* state) const;
  };
  std::unique_ptr<void, Free> state_;
};

// The same of a whole file, read in parts. IoError if it cannot be read.
std::string xxh3_of_file(const std::string& path);

// XXH3 of 64 bits. Another seed makes another hash of the same bytes.
uint64_t xxh3_checksum(std::span<const std::byte> bytes, uint64_t seed);

}  // namespace plimsoll
