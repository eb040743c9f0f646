#include "plimsoll/formats/images/encode_jpeg.h"

#include <fmt/format.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
// After <cstdio>: libjpeg's header needs FILE.
#include <jpeglib.h>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// libjpeg reports errors by a call that must not return. It jumps; so between setjmp and the calls
// into libjpeg there is nothing that has a destructor.
class JpegEncoder {
 public:
  JpegEncoder() {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr info) {
      auto* self = static_cast<JpegEncoder*>(info->client_data);
      info->err->format_message(info, self->message_);
      longjmp(self->jump_, 1);
    };
    errors_.output_message = [](j_common_ptr) {};
    info_.client_data = this;
  }
  ~JpegEncoder() {
    if (is_created_) jpeg_destroy_compress(&info_);
    std::free(bytes_);
  }
  JpegEncoder(const JpegEncoder&) = delete;
  JpegEncoder& operator=(const JpegEncoder&) = delete;

  // False where libjpeg refuses; message() then says why.
  bool encode(const Image& image, int quality) {
    if (setjmp(jump_) != 0) return false;
    jpeg_create_compress(&info_);
    is_created_ = true;
    jpeg_mem_dest(&info_, &bytes_, &size_);
    info_.image_width = static_cast<JDIMENSION>(image.width);
    info_.image_height = static_cast<JDIMENSION>(image.height);
    info_.input_components = static_cast<int>(image.channels);
    info_.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info_);
    jpeg_set_quality(&info_, quality, TRUE);
    jpeg_start_compress(&info_, TRUE);
    const int64_t row_bytes = image.width * image.channels;
    while (info_.next_scanline < info_.image_height) {
      // libjpeg does not write to the row, but its type does not say so.
      JSAMPROW row = const_cast<uint8_t*>(image.pixels.data() + info_.next_scanline * row_bytes);
      jpeg_write_scanlines(&info_, &row, 1);
    }
    jpeg_finish_compress(&info_);
    return true;
  }

  std::string bytes() const { return {reinterpret_cast<const char*>(bytes_), size_}; }
  const char* message() const { return message_; }

 private:
  jpeg_compress_struct info_ = {};
  jpeg_error_mgr errors_ = {};
  std::jmp_buf jump_;
  bool is_created_ = false;
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;
  char message_[JMSG_LENGTH_MAX] = {};
};

}  // namespace

std::string encode_jpeg(const Image& image, int quality) {
  if (image.channels != 1 && image.channels != 3)
    throw InvalidArgument(
        fmt::format("a JPEG file has 1 or 3 channels, found an image with {}", image.channels));
  if (quality < 1 || quality > 100)
    throw InvalidArgument(
        fmt::format("the quality of a JPEG file is from 1 to 100, found {}", quality));
  JpegEncoder encoder;
  if (!encoder.encode(image, quality))
    throw InvalidArgument(fmt::format("the image of {} x {} cannot be a JPEG file: {}",
                                      image.height, image.width, encoder.message()));
  return encoder.bytes();
}

}  // namespace plimsoll
