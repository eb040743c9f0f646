#include "plimsoll/formats/images/gif.h"

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/little_endian.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/formats/images/gif_lzw.h"
#include "plimsoll/formats/images/image_size.h"
#include "plimsoll/formats/images/write_pixel.h"

namespace plimsoll {
namespace {

using Bytes = std::span<const std::byte>;

// The first picture and what is needed to show it.
struct Picture {
  int64_t screen_height = 0, screen_width = 0;
  int64_t top = 0, left = 0, height = 0, width = 0;
  bool is_interlaced = false;
  int transparent = -1;  // an index of the table
  Bytes colors;          // red, green, blue of each index
  Bytes data;            // of its pixels, and all that follows
};

class PictureReader {
 public:
  PictureReader(Bytes bytes, const std::string& name) : rest_(bytes), name_(name) {}

  Picture read() {
    const Bytes screen = take(13);
    picture_.screen_width = little_endian(screen, 6, 2);
    picture_.screen_height = little_endian(screen, 8, 2);
    read_colors(little_endian(screen, 10, 1));
    for (;;) {
      const uint32_t block = little_endian(take(1), 0, 1);
      if (block == 0x2C) break;
      if (block != 0x21) refuse("it has no picture");
      read_extension();
    }
    read_frame();
    return picture_;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw CorruptFile(name_ + ": the GIF image is damaged: " + why);
  }

  Bytes take(size_t count) {
    if (rest_.size() < count) refuse("it ends too early");
    const Bytes taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  void read_colors(uint32_t flags) {
    if ((flags & 0x80) != 0) picture_.colors = take(size_t{3} << ((flags & 7) + 1));
  }

  void read_extension() {
    constexpr uint32_t kGraphicControl = 0xF9;
    const uint32_t kind = little_endian(take(1), 0, 1);
    while (const uint32_t size = little_endian(take(1), 0, 1)) {
      const Bytes block = take(size);
      if (kind != kGraphicControl || size < 4) continue;
      const bool has_transparent = (little_endian(block, 0, 1) & 1) != 0;
      picture_.transparent = has_transparent ? static_cast<int>(little_endian(block, 3, 1)) : -1;
    }
  }

  void read_frame() {
    const Bytes frame = take(9);
    picture_.left = little_endian(frame, 0, 2);
    picture_.top = little_endian(frame, 2, 2);
    picture_.width = little_endian(frame, 4, 2);
    picture_.height = little_endian(frame, 6, 2);
    const uint32_t flags = little_endian(frame, 8, 1);
    picture_.is_interlaced = (flags & 0x40) != 0;
    read_colors(flags);
    if (picture_.colors.empty()) refuse("it has no colours");
    picture_.screen_width = std::max(picture_.screen_width, picture_.left + picture_.width);
    picture_.screen_height = std::max(picture_.screen_height, picture_.top + picture_.height);
    picture_.data = rest_;
  }

  Bytes rest_;
  const std::string& name_;
  Picture picture_;
};

// The place of a row in the data. Interlaced, every eighth row comes first, then the rows between
// these, then those between.
int64_t stored_row(const Picture& picture, int64_t y) {
  if (!picture.is_interlaced) return y;
  const int64_t eighths = (picture.height + 7) / 8, fourths = (picture.height + 3) / 8,
                halves = (picture.height + 1) / 4;
  if (y % 8 == 0) return y / 8;
  if (y % 8 == 4) return eighths + y / 8;
  if (y % 4 == 2) return eighths + fourths + y / 4;
  return eighths + fourths + halves + y / 2;
}

void write_row(const Picture& picture, std::span<const uint8_t> indices, int64_t channels,
               uint8_t* into) {
  const auto blacken = [&](int64_t count) {
    std::fill_n(into, count * channels, uint8_t{0});
    into += count * channels;
  };
  blacken(picture.left);
  for (const uint8_t index : indices) {
    if (index == picture.transparent) {
      blacken(1);
      continue;
    }
    const auto color = [&](size_t i) {
      return std::to_integer<int>(picture.colors[size_t{3} * index + i]);
    };
    write_pixel(color(0), color(1), color(2), 255, channels, into);
  }
  blacken(picture.screen_width - picture.left - static_cast<int64_t>(indices.size()));
}

}  // namespace

void decode_gif(Bytes bytes, const std::string& name, const DecodeOptions& options,
                ImageRows& into) {
  const Picture picture = PictureReader(bytes, name).read();
  const int64_t height = picture.screen_height, width = picture.screen_width;
  check_image_size(picture.height, picture.width, bytes.size(), name, options.limits);
  check_image_size(height, width, bytes.size(), name, options.limits);
  ScratchBytes indices(static_cast<size_t>(picture.height * picture.width));
  const std::span<uint8_t> values(indices.data(), indices.size());
  unpack_gif(picture.data, name, values);
  if (size_t{3} * std::ranges::max(values) >= picture.colors.size())
    throw CorruptFile(name + ": the GIF image is damaged: it lacks a colour that it uses");
  const int64_t channels = channels_of(options.mode);
  const auto frame_width = static_cast<size_t>(picture.width);
  ScratchBytes row(static_cast<size_t>(width * channels));
  into.begin(height, width, channels);
  for (int64_t y = 0; y < height; ++y) {
    const int64_t inside = y - picture.top;
    const bool is_inside = inside >= 0 && inside < picture.height;
    const size_t begin = is_inside ? static_cast<size_t>(stored_row(picture, inside)) : 0;
    write_row(picture, values.subspan(begin * frame_width, is_inside ? frame_width : 0), channels,
              row.data());
    into.add(row.data(), 1);
  }
}

}  // namespace plimsoll
