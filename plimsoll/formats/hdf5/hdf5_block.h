// A piece of an HDF5 file, read from front to back: no number is taken that is not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

class Hdf5Block {
 public:
  // `what` names it in messages: "object header of /layers/dense".
  Hdf5Block(std::string file, std::string what, uint64_t address, std::vector<std::byte> bytes);

  uint64_t address() const { return address_ + at_; }
  size_t left() const { return bytes_.size() - at_; }
  const std::string& what() const { return what_; }

  // The next `size` bytes as a little-endian number.
  uint64_t number(size_t size);
  uint8_t byte() { return static_cast<uint8_t>(number(1)); }
  void skip(size_t size);
  // To the next multiple of eight from its beginning; what is missing at the end is padding too.
  void skip_padding();
  std::string text(size_t size);
  // A part that is read on its own.
  Hdf5Block part(size_t size, const std::string& what);
  // The bytes of a string that ends in NUL, at `offset` from the beginning.
  std::string text_at(uint64_t offset) const;

  // Each refuses what is not so.
  void expect_signature(std::string_view signature);
  void expect(size_t size, uint64_t value, const char* name);

  // CorruptFile with the file, the piece and the byte.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  std::string file_, what_;
  uint64_t address_;
  std::vector<std::byte> bytes_;
  size_t at_ = 0;
};

// The file as a whole. Every piece is claimed once, so that no two overlap and no walk is endless.
class Hdf5Space {
 public:
  explicit Hdf5Space(ByteSourcePtr source) : source_(std::move(source)) {}

  const ByteSourcePtr& source() const { return source_; }
  // Marks the range as taken; CorruptFile if it is already, or is outside of the file.
  void claim(uint64_t address, uint64_t size, const std::string& what);
  Hdf5Block read(uint64_t address, uint64_t size, const std::string& what);

 private:
  ByteSourcePtr source_;
  std::map<uint64_t, uint64_t> claimed_;  // begin -> end
  uint64_t metadata_bytes_ = 0;
};

// How the format writes that there is no address.
inline constexpr uint64_t kHdf5Undefined = ~uint64_t{0};

}  // namespace plimsoll
