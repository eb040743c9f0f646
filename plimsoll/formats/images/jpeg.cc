#include "plimsoll/formats/images/jpeg.h"

#include <csetjmp>
#include <cstdio>
// After <cstdio>: libjpeg's headers need size_t and FILE.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/formats/images/image_size.h"
#include "plimsoll/formats/images/write_pixel.h"

namespace plimsoll {
namespace {

constexpr int kMaxScans = 500;  // of a progressive image; more is an attack
constexpr int64_t kStripRows = 16;

// libjpeg reports errors by a call that must not return. It jumps; so between
// setjmp and the calls into libjpeg there is nothing that has a destructor.
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

  // Chooses the smallest fraction whose size is not below this one. Call it after read_header() and
  // before start().
  bool shrink_to(std::array<int64_t, 2> least) {
    if (setjmp(jump_) != 0) return false;
    info_.scale_denom = 8;
    for (const unsigned eighths : {1u, 2u, 4u, 8u}) {
      info_.scale_num = eighths;
      jpeg_calc_output_dimensions(&info_);
      if (info_.output_height >= least[0] && info_.output_width >= least[1]) break;
    }
    return true;
  }

  bool start() {
    if (setjmp(jump_) != 0) return false;
    jpeg_start_decompress(&info_);
    return true;
  }

  // The next `count` rows, one after the other.
  bool read_rows(uint8_t* into, int64_t count) {
    if (setjmp(jump_) != 0) return false;
    JSAMPROW rows[kStripRows];
    for (int64_t i = 0; i < count; ++i) rows[i] = into + i * row_bytes();
    const JDIMENSION end = info_.output_scanline + static_cast<JDIMENSION>(count);
    while (info_.output_scanline < end) {
      const JDIMENSION left = end - info_.output_scanline;
      jpeg_read_scanlines(&info_, rows + (count - left), left);
    }
    return true;
  }

  bool finish() {
    if (setjmp(jump_) != 0) return false;
    jpeg_finish_decompress(&info_);
    return true;
  }

  // The size in the header, and (from start() on) the size of the decoded image.
  int64_t image_height() const { return info_.image_height; }
  int64_t image_width() const { return info_.image_width; }
  int64_t height() const { return info_.output_height; }
  int64_t width() const { return info_.output_width; }
  int64_t row_bytes() const { return width() * info_.output_components; }
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

// Ink on paper: each colour is what the ink and the black leave of the light.
void convert_cmyk(std::span<const uint8_t> inks, bool is_inverted, int64_t channels,
                  uint8_t* into) {
  const auto light = [&](uint8_t ink) { return is_inverted ? ink : 255 - ink; };
  for (size_t at = 0; at < inks.size(); at += 4) {
    const int black = light(inks[at + 3]);
    write_pixel(light(inks[at]) * black / 255, light(inks[at + 1]) * black / 255,
                light(inks[at + 2]) * black / 255, 255, channels, into);
  }
}

// Strip by strip, so that what is done with the rows finds them in the cache. False where the
// decoder refuses.
bool read_strips(JpegDecoder& decoder, int64_t channels, ImageRows& into) {
  const auto strip_bytes = static_cast<size_t>(kStripRows * decoder.row_bytes());
  ScratchBytes strip(strip_bytes), converted(decoder.is_cmyk() ? strip_bytes : 0);
  for (int64_t y = 0; y < decoder.height(); y += kStripRows) {
    const int64_t count = std::min(kStripRows, decoder.height() - y);
    if (!decoder.read_rows(strip.data(), count)) return false;
    if (decoder.is_cmyk())
      convert_cmyk({strip.data(), static_cast<size_t>(count * decoder.row_bytes())},
                   decoder.is_inverted(), channels, converted.data());
    into.add(decoder.is_cmyk() ? converted.data() : strip.data(), count);
  }
  return true;
}

}  // namespace

void decode_jpeg(std::span<const std::byte> bytes, const std::string& name,
                 const DecodeOptions& options, ImageRows& into) {
  JpegDecoder decoder;
  const auto expect = [&](bool is_read) {
    if (!is_read) throw CorruptFile(name + ": the JPEG image is damaged: " + decoder.message());
  };
  expect(decoder.read_header(bytes, options.mode));
  check_image_size(decoder.image_height(), decoder.image_width(), bytes.size(), name,
                   options.limits);
  if (options.at_least[0] > 0) expect(decoder.shrink_to(options.at_least));
  expect(decoder.start());
  const int64_t channels = channels_of(options.mode);
  into.begin(decoder.height(), decoder.width(), channels);
  expect(read_strips(decoder, channels, into));
  expect(decoder.finish());
}

}  // namespace plimsoll
