// SHA-256, to name the contents of a file as `sha256sum` does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plimsoll {

class Sha256 {
 public:
  void add(std::span<const std::byte> bytes);
  // 64 hexadecimal digits; nothing may be added afterwards.
  std::string finish();

 private:
  void take_block(const std::byte* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> rest_{};  // bytes that do not make a block yet
  size_t rest_bytes_ = 0;
  uint64_t total_bytes_ = 0;
};

// Of a whole file, read in parts. IoError where it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace plimsoll
