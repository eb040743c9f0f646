#include "plimsoll/formats/images/bmp.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/little_endian.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/formats/images/bmp_layout.h"
#include "plimsoll/formats/images/image_size.h"
#include "plimsoll/formats/images/write_pixel.h"

namespace plimsoll {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse_end(const std::string& name) {
  throw CorruptFile(name + ": the BMP image is damaged: it ends too early");
}

// A pixel's part under the mask, stretched to 0 to 255.
int part_of(uint32_t pixel, uint32_t mask) {
  if (mask == 0) return 255;
  const int shift = std::countr_zero(mask);
  return static_cast<int>(uint64_t{(pixel & mask) >> shift} * 255 / (mask >> shift));
}

void convert_row(const BmpLayout& layout, Bytes row, int64_t channels, uint8_t* into) {
  const auto width = static_cast<size_t>(layout.width), bits = static_cast<size_t>(layout.bits);
  for (size_t x = 0; x < width; ++x) {
    if (bits <= 8) {
      const unsigned byte = std::to_integer<unsigned>(row[x * bits / 8]);
      const unsigned index = byte >> (8 - bits - x * bits % 8) & ((1u << bits) - 1);
      const auto& [red, green, blue] = layout.palette[index];
      write_pixel(red, green, blue, 255, channels, into);
    } else if (bits == 24) {
      const auto color = [&](size_t i) { return std::to_integer<int>(row[3 * x + i]); };
      write_pixel(color(2), color(1), color(0), 255, channels, into);
    } else {
      const uint32_t pixel = little_endian(row, x * bits / 8, bits / 8);
      const auto color = [&](size_t i) { return part_of(pixel, layout.masks[i]); };
      write_pixel(color(0), color(1), color(2), color(3), channels, into);
    }
  }
}

// Expands runs of equal pixels, and single pixels, to rows of one byte per pixel.
class RunReader {
 public:
  RunReader(const BmpLayout& layout, Bytes bytes, const std::string& name, uint8_t* into)
      : layout_(layout), rest_(bytes.subspan(layout.pixels_at)), name_(name), into_(into) {}

  void read() {
    for (;;) {
      if (rest_.size() < 2 && y_ >= layout_.height) return;
      const int count = next(), value = next();
      if (count > 0) {
        add_run(count, value);
      } else if (value == 0) {
        x_ = 0;
        ++y_;
      } else if (value == 1) {
        return;
      } else if (value == 2) {
        x_ += next();
        y_ += next();
      } else {
        add_pixels(value);
      }
    }
  }

 private:
  bool is_wide() const { return layout_.packing == BmpPacking::runs_of_8_bits; }

  int next() {
    if (rest_.empty()) refuse_end(name_);
    const int byte = std::to_integer<int>(rest_[0]);
    rest_ = rest_.subspan(1);
    return byte;
  }

  void add(int index) {
    if (x_ < layout_.width && y_ < layout_.height)
      into_[y_ * layout_.width + x_] = static_cast<uint8_t>(index);
    ++x_;
  }

  int half(int byte, int i) const { return i % 2 == 0 ? byte >> 4 : byte & 15; }

  void add_run(int count, int value) {
    for (int i = 0; i < count; ++i) add(is_wide() ? value : half(value, i));
  }

  // They end on an even number of bytes.
  void add_pixels(int count) {
    int byte = 0;
    for (int i = 0; i < count; ++i) {
      if (is_wide() || i % 2 == 0) byte = next();
      add(is_wide() ? byte : half(byte, i));
    }
    const int bytes = is_wide() ? count : (count + 1) / 2;
    if (bytes % 2 != 0) next();
  }

  const BmpLayout& layout_;
  Bytes rest_;
  const std::string& name_;
  uint8_t* into_;
  int64_t x_ = 0, y_ = 0;  // of the next pixel, in stored rows
};

// `rows` are those that the file has, in its order.
void add_rows(const BmpLayout& layout, Bytes rows, int64_t channels, ImageRows& into) {
  const int64_t stride = layout.stride();
  ScratchBytes row(static_cast<size_t>(layout.width * channels));
  into.begin(layout.height, layout.width, channels);
  for (int64_t y = 0; y < layout.height; ++y) {
    const int64_t stored = layout.is_top_down ? y : layout.height - 1 - y;
    convert_row(layout, rows.subspan(static_cast<size_t>(stored * stride)), channels, row.data());
    into.add(row.data(), 1);
  }
}

void add_unpacked(BmpLayout layout, Bytes bytes, const std::string& name, int64_t channels,
                  ImageRows& into) {
  layout.bits = 8;
  const auto size = static_cast<size_t>(layout.stride() * layout.height);
  ScratchBytes indices(size);
  std::memset(indices.data(), 0, size);
  const int64_t width = layout.width;
  layout.width = layout.stride();  // so that rows begin where they do without runs
  RunReader(layout, bytes, name, indices.data()).read();
  layout.width = width;
  add_rows(layout, indices.bytes(), channels, into);
}

}  // namespace

void decode_bmp(Bytes bytes, const std::string& name, const DecodeOptions& options,
                ImageRows& into) {
  const BmpLayout layout = read_bmp_layout(bytes, name);
  check_image_size(layout.height, layout.width, bytes.size(), name, options.limits);
  const int64_t channels = channels_of(options.mode);
  if (layout.pixels_at > bytes.size()) refuse_end(name);
  const bool has_runs =
      layout.packing == BmpPacking::runs_of_8_bits || layout.packing == BmpPacking::runs_of_4_bits;
  if (has_runs) return add_unpacked(layout, bytes, name, channels, into);
  // The last row may lack its padding.
  const int64_t needed =
      (layout.height - 1) * layout.stride() + (layout.width * layout.bits + 7) / 8;
  const Bytes rows = bytes.subspan(layout.pixels_at);
  if (static_cast<int64_t>(rows.size()) < needed) refuse_end(name);
  add_rows(layout, rows, channels, into);
}

}  // namespace plimsoll
