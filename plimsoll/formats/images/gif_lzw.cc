#include "plimsoll/formats/images/gif_lzw.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int kMostBits = 12;
constexpr int kCodes = 1 << kMostBits;

// The bits of the blocks, the lowest first.
class BlockBits {
 public:
  BlockBits(std::span<const std::byte> bytes, const std::string& name)
      : rest_(bytes), name_(name) {}

  int take(int count) {
    while (held_ < count) {
      bits_ |= static_cast<uint32_t>(next_byte()) << held_;
      held_ += 8;
    }
    const uint32_t value = bits_ & ((1u << count) - 1);
    bits_ >>= count;
    held_ -= count;
    return static_cast<int>(value);
  }

 private:
  int next_byte() {
    if (left_ == 0) left_ = raw_byte();
    if (left_ == 0) throw CorruptFile(name_ + ": the GIF image is damaged: it ends too early");
    --left_;
    return raw_byte();
  }

  int raw_byte() {
    if (rest_.empty()) throw CorruptFile(name_ + ": the GIF image is damaged: it ends too early");
    const int byte = std::to_integer<int>(rest_[0]);
    rest_ = rest_.subspan(1);
    return byte;
  }

  std::span<const std::byte> rest_;
  const std::string& name_;
  int left_ = 0;       // of this block
  uint32_t bits_ = 0;  // taken from it and not given out
  int held_ = 0;       // how many
};

// The string of a code is that of another code and one more value.
class Strings {
 public:
  explicit Strings(int bits) : roots_(1 << bits) {
    for (int i = 0; i < roots_; ++i) entries_[at(i)] = {0, static_cast<uint8_t>(i), 1};
    clear();
  }

  void clear() { next_ = roots_ + 2; }
  int next() const { return next_; }
  bool is_string(int code) const { return code < roots_ || (code >= roots_ + 2 && code < next_); }

  void add(int prefix, uint8_t last) {
    const auto length = static_cast<uint16_t>(entries_[at(prefix)].length + 1);
    entries_[at(next_++)] = {static_cast<uint16_t>(prefix), last, length};
  }

  uint8_t first(int code) const {
    while (entries_[at(code)].length > 1) code = entries_[at(code)].prefix;
    return entries_[at(code)].last;
  }

  // Writes as much of the string as there is room for; returns the rest of the room.
  std::span<uint8_t> write(int code, std::span<uint8_t> into) const {
    const size_t length = entries_[at(code)].length;
    for (size_t i = length; i-- > 0; code = entries_[at(code)].prefix)
      if (i < into.size()) into[i] = entries_[at(code)].last;
    return into.subspan(std::min(length, into.size()));
  }

 private:
  struct Entry {
    uint16_t prefix;
    uint8_t last;
    uint16_t length;
  };
  static size_t at(int code) { return static_cast<size_t>(code); }

  int roots_, next_ = 0;
  std::array<Entry, kCodes> entries_;
};

}  // namespace

void unpack_gif(std::span<const std::byte> bytes, const std::string& name,
                std::span<uint8_t> into) {
  const auto expect = [&](bool is_right) {
    if (!is_right) throw CorruptFile(name + ": the GIF image is damaged: its data is wrong");
  };
  expect(!bytes.empty());
  const int root_bits = std::to_integer<int>(bytes[0]);
  expect(root_bits >= 1 && root_bits <= 8);
  BlockBits bits(bytes.subspan(1), name);
  Strings strings(root_bits);
  const int clear = 1 << root_bits, end = clear + 1;
  int width = root_bits + 1, previous = -1;
  while (!into.empty()) {
    const int code = bits.take(width);
    expect(code != end);
    if (code == clear) {
      strings.clear();
      width = root_bits + 1;
      previous = -1;
      continue;
    }
    const bool is_known = strings.is_string(code);
    expect(is_known || (previous >= 0 && code == strings.next() && code < kCodes));
    if (previous >= 0 && strings.next() < kCodes)
      strings.add(previous, strings.first(is_known ? code : previous));
    into = strings.write(code, into);
    if (strings.next() == 1 << width && width < kMostBits) ++width;
    previous = code;
  }
}

}  // namespace plimsoll
