#include "plimsoll/formats/images/png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/formats/images/image_size.h"

namespace plimsoll {
namespace {

constexpr const char* kColourMask = "it has colours; a mask has one number per pixel";
constexpr const char* kWideMask = "it has 16 bits per pixel; a mask has 8 or less";
constexpr png_uint_32 kMaxSide = 1 << 24;
constexpr png_alloc_size_t kMaxChunkBytes = 8 << 20;

// libpng reports errors by a call that must not return. It jumps; so between
// setjmp and the calls into libpng there is nothing that has a destructor.
class PngDecoder {
 public:
  explicit PngDecoder(std::span<const std::byte> bytes) : rest_(bytes) {}
  ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;

  // Each of these returns false where libpng refuses; message() then says why.
  bool read_header() {
    if (setjmp(jump_) != 0) return false;
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    if (png_ == nullptr) return false;
    info_ = png_create_info_struct(png_);
    if (info_ == nullptr) return false;
    png_set_user_limits(png_, kMaxSide, kMaxSide);
    png_set_chunk_malloc_max(png_, kMaxChunkBytes);
    png_set_read_fn(png_, this, on_read);
    png_read_info(png_, info_);
    return true;
  }

  // Rows will have `stride` bytes.
  bool start(const DecodeOptions& options, size_t stride) {
    if (setjmp(jump_) != 0) return false;
    if (options.is_mask)
      keep_numbers();
    else
      transform(options.mode);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_rowbytes(png_, info_) != stride) png_error(png_, "its colours are not understood");
    return true;
  }

  // Reads the next rows, or all of them if they are interlaced.
  bool read_rows(std::span<const png_bytep> rows) {
    if (setjmp(jump_) != 0) return false;
    const auto count = static_cast<png_uint_32>(rows.size());
    if (is_interlaced())
      png_read_image(png_, const_cast<png_bytepp>(rows.data()));
    else
      png_read_rows(png_, const_cast<png_bytepp>(rows.data()), nullptr, count);
    return true;
  }

  bool finish() {
    if (setjmp(jump_) != 0) return false;
    png_read_end(png_, nullptr);
    return true;
  }

  bool is_interlaced() const { return png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE; }
  int64_t height() const { return png_get_image_height(png_, info_); }
  int64_t width() const { return png_get_image_width(png_, info_); }
  const char* message() const { return message_; }

 private:
  static PngDecoder* self(png_structp png) {
    return static_cast<PngDecoder*>(png_get_error_ptr(png));
  }

  [[noreturn]] static void on_error(png_structp png, png_const_charp text) {
    std::snprintf(self(png)->message_, sizeof self(png)->message_, "%s", text);
    longjmp(self(png)->jump_, 1);
  }

  static void on_warning(png_structp, png_const_charp) {}

  static void on_read(png_structp png, png_bytep into, size_t size) {
    auto& rest = static_cast<PngDecoder*>(png_get_io_ptr(png))->rest_;
    if (size > rest.size()) png_error(png, "it ends too early");
    std::memcpy(into, rest.data(), size);
    rest = rest.subspan(size);
  }

  void keep_numbers() {
    const int type = png_get_color_type(png_, info_);
    if (png_get_bit_depth(png_, info_) == 16) png_error(png_, kWideMask);
    if (type != PNG_COLOR_TYPE_PALETTE && (type & PNG_COLOR_MASK_COLOR) != 0)
      png_error(png_, kColourMask);
    png_set_packing(png_);
    if ((type & PNG_COLOR_MASK_ALPHA) != 0) png_set_strip_alpha(png_);
  }

  void transform(ColorMode mode) {
    const int type = png_get_color_type(png_, info_);
    const bool has_transparency = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
    const bool has_alpha = (type & PNG_COLOR_MASK_ALPHA) != 0;
    const bool is_gray = (type & PNG_COLOR_MASK_COLOR) == 0;
    const int depth = png_get_bit_depth(png_, info_);
    if (depth == 16) png_set_strip_16(png_);
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    if (is_gray) png_set_expand_gray_1_2_4_to_8(png_);
    if (mode == ColorMode::rgba) {
      if (has_transparency) png_set_tRNS_to_alpha(png_);
      // TensorFlow's alpha for few bits is so small that the pixels are hardly visible.
      const png_uint_32 opaque = (1u << depth) - 1;
      if (!has_alpha && !has_transparency) png_set_add_alpha(png_, opaque, PNG_FILLER_AFTER);
    } else if (has_alpha || has_transparency) {
      png_set_strip_alpha(png_);
    }
    if (mode != ColorMode::grayscale && is_gray) png_set_gray_to_rgb(png_);
    // The weights of red and green; the rest is blue's. They are TensorFlow's,
    // not those of luminance.
    if (mode == ColorMode::grayscale && !is_gray)
      png_set_rgb_to_gray(png_, PNG_ERROR_ACTION_NONE, 0.299, 0.587);
  }

  std::span<const std::byte> rest_;  // what libpng has not taken yet
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::jmp_buf jump_;
  char message_[128] = "there is no memory for it";
};

// Strip by strip where the file has the rows in order, else all at once. False where the decoder
// refuses.
bool read_strips(PngDecoder& decoder, size_t stride, ImageRows& into) {
  constexpr int64_t kPngStripRows = 16;
  const int64_t most = decoder.is_interlaced() ? decoder.height() : kPngStripRows;
  ScratchBytes strip(static_cast<size_t>(most) * stride);
  std::vector<png_bytep> rows;
  for (int64_t y = 0; y < most; ++y) rows.push_back(strip.data() + static_cast<size_t>(y) * stride);
  for (int64_t y = 0; y < decoder.height(); y += most) {
    const int64_t count = std::min(most, decoder.height() - y);
    if (!decoder.read_rows(std::span(rows).first(static_cast<size_t>(count)))) return false;
    into.add(strip.data(), count);
  }
  return true;
}

}  // namespace

void decode_png(std::span<const std::byte> bytes, const std::string& name,
                const DecodeOptions& options, ImageRows& into) {
  PngDecoder decoder(bytes);
  const auto expect = [&](bool is_read) {
    if (!is_read) throw CorruptFile(name + ": the PNG image is damaged: " + decoder.message());
  };
  expect(decoder.read_header());
  check_image_size(decoder.height(), decoder.width(), bytes.size(), name, options.limits);
  const int64_t channels = options.is_mask ? 1 : channels_of(options.mode);
  const auto stride = static_cast<size_t>(decoder.width() * channels);
  expect(decoder.start(options, stride));
  into.begin(decoder.height(), decoder.width(), channels);
  expect(read_strips(decoder, stride, into));
  expect(decoder.finish());
}

}  // namespace plimsoll
