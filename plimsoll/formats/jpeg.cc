#include "plimsoll/formats/jpeg.h"

#include <csetjmp>
#include <cstdio>
// After <cstdio>: libjpeg's headers need size_t and FILE.
#include <jerror.h>
#include <jpeglib.h>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/image_size.h"

namespace plimsoll {
namespace {

constexpr int kMaxScans = 500;  // of a progressive image; more is an attack

// libjpeg reports errors by a call that must not return. It jumps; so between
// setjmp and the calls into libjpeg there stands nothing that has a destructor.
class JpegDecoder {
 public:
  JpegDecoder() {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr info) { self(info)->stop(); };
    errors_.emit_message = [](j_common_ptr info, int level) { self(info)->notice(level); };
    errors_.output_message = [](j_common_ptr) {};
    progress_.progress_monitor = [](j_common_ptr info) { self(info)->watch(); };
    info_.client_data = this;
  }
  ~JpegDecoder() {
    if (is_created_) jpeg_destroy_decompress(&info_);
  }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  // Each of these returns false where libjpeg refuses; message() then says why.
  bool read_header(std::span<const std::byte> bytes, ColorMode mode) {
    if (setjmp(jump_) != 0) return false;
    jpeg_create_decompress(&info_);
    is_created_ = true;
    info_.progress = &progress_;
    jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&info_, TRUE);
    info_.out_color_space = output_space(mode);
    info_.dct_method = JDCT_IFAST;  // as TensorFlow: its pixels are then ours, bit for bit
    return true;
  }

  bool read_pixels(uint8_t* into) {
    if (setjmp(jump_) != 0) return false;
    jpeg_start_decompress(&info_);
    const size_t stride =
        static_cast<size_t>(info_.output_width) * static_cast<size_t>(info_.output_components);
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = into + info_.output_scanline * stride;
      jpeg_read_scanlines(&info_, &row, 1);
    }
    jpeg_finish_decompress(&info_);
    return true;
  }

  int64_t height() const { return info_.image_height; }
  int64_t width() const { return info_.image_width; }
  bool is_cmyk() const { return info_.out_color_space == JCS_CMYK; }
  // Adobe's programs store ink as its absence.
  bool is_inverted() const { return info_.saw_Adobe_marker; }
  const char* message() const { return message_; }

 private:
  static JpegDecoder* self(j_common_ptr info) {
    return static_cast<JpegDecoder*>(info->client_data);
  }

  J_COLOR_SPACE output_space(ColorMode mode) const {
    const J_COLOR_SPACE space = info_.jpeg_color_space;
    if (space == JCS_CMYK || space == JCS_YCCK) return JCS_CMYK;
    if (mode == ColorMode::grayscale) return JCS_GRAYSCALE;
    return mode == ColorMode::rgb ? JCS_RGB : JCS_EXT_RGBA;
  }

  [[noreturn]] void stop() {
    errors_.format_message(reinterpret_cast<j_common_ptr>(&info_), message_);
    longjmp(jump_, 1);
  }

  // Negative: a warning. Those that mean lost pixels are errors here.
  void notice(int level) {
    if (level >= 0) return;
    switch (errors_.msg_code) {
      case JWRN_JPEG_EOF:
      case JWRN_HIT_MARKER:
      case JWRN_HUFF_BAD_CODE:
      case JWRN_MUST_RESYNC:
        stop();
      default:
        return;
    }
  }

  void watch() {
    if (info_.input_scan_number <= kMaxScans) return;
    std::snprintf(message_, sizeof message_, "it has more than %d scans", kMaxScans);
    longjmp(jump_, 1);
  }

  jpeg_decompress_struct info_ = {};
  jpeg_error_mgr errors_ = {};
  jpeg_progress_mgr progress_ = {};
  std::jmp_buf jump_;
  bool is_created_ = false;
  char message_[JMSG_LENGTH_MAX] = {};
};

uint8_t gray_of(int red, int green, int blue) {
  return static_cast<uint8_t>((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}

// Ink on paper: each colour is what the ink and the black leave of the light.
void convert_cmyk(const std::vector<uint8_t>& from, bool is_inverted, Image& image) {
  const auto light = [&](uint8_t ink) { return is_inverted ? ink : 255 - ink; };
  uint8_t* out = image.pixels.data();
  for (size_t at = 0; at < from.size(); at += 4) {
    const int black = light(from[at + 3]);
    const int red = light(from[at]) * black / 255, green = light(from[at + 1]) * black / 255,
              blue = light(from[at + 2]) * black / 255;
    if (image.channels == 1) {
      *out++ = gray_of(red, green, blue);
      continue;
    }
    *out++ = static_cast<uint8_t>(red);
    *out++ = static_cast<uint8_t>(green);
    *out++ = static_cast<uint8_t>(blue);
    if (image.channels == 4) *out++ = 255;
  }
}

}  // namespace

Image decode_jpeg(std::span<const std::byte> bytes, const std::string& name, ColorMode mode,
                  const ImageLimits& limits) {
  JpegDecoder decoder;
  const auto refuse = [&] {
    throw CorruptFile(name + ": the JPEG image is damaged: " + decoder.message());
  };
  if (!decoder.read_header(bytes, mode)) refuse();
  check_image_size(decoder.height(), decoder.width(), bytes.size(), name, limits);
  Image image{decoder.height(), decoder.width(), channels_of(mode), {}};
  const auto pixels = static_cast<size_t>(image.height * image.width);
  image.pixels.resize(pixels * static_cast<size_t>(image.channels));
  if (!decoder.is_cmyk()) {
    if (!decoder.read_pixels(image.pixels.data())) refuse();
    return image;
  }
  std::vector<uint8_t> inks(pixels * 4);
  if (!decoder.read_pixels(inks.data())) refuse();
  convert_cmyk(inks, decoder.is_inverted(), image);
  return image;
}

}  // namespace plimsoll
