#include "plimsoll/data/images/mask_slot.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plimsoll/base/flaw.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/formats/images/image.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

// Passes on one channel of pixels whose channels are all the same.
class GreyRows final : public ImageRows {
 public:
  GreyRows(const std::string& name, ImageRows& into) : name_(name), into_(into) {}

  void begin(int64_t height, int64_t width, int64_t channels) override {
    width_ = width;
    channels_ = channels;
    into_.begin(height, width, 1);
  }

  void add(const uint8_t* rows, int64_t count) override {
    grey_.clear();
    for (const uint8_t* end = rows + count * width_ * channels_; rows < end; rows += channels_) {
      if (!std::ranges::all_of(rows, rows + channels_, [&](uint8_t c) { return c == rows[0]; }))
        throw FlawedRecord(Flaw::invalid,
                           name_ +
                               ": it has colours; a mask has one number per pixel (save it as "
                               "a PNG of grey or of a palette)");
      grey_.push_back(rows[0]);
    }
    into_.add(grey_.data(), count);
  }

 private:
  const std::string& name_;
  ImageRows& into_;
  int64_t width_ = 0, channels_ = 0;
  std::vector<uint8_t> grey_;
};

[[noreturn]] void refuse_pixel(const std::string& name, float number, const std::string& expected) {
  throw FlawedRecord(Flaw::label, fmt::format("{}: a pixel of the mask is {}, expected {}", name,
                                              number, expected));
}

void write_classes(std::span<const float> pixels, const std::string& name,
                   const MaskSlotOptions& options, std::byte* into) {
  using enum MaskSlotOptions::Form;
  auto* floats = reinterpret_cast<float*>(into);
  if (options.form == vectors) std::fill_n(floats, std::ssize(pixels) * options.classes, 0.0f);
  for (size_t i = 0; i < pixels.size(); ++i) {
    const float number = pixels[i];
    if (options.form == numbers) {
      reinterpret_cast<int32_t*>(into)[i] = static_cast<int32_t>(number);
    } else if (options.form == binary) {
      if (number != 0 && number != 1 && number != 255)
        refuse_pixel(name, number, "0 and 1, or 0 and 255");
      floats[i] = number > 0 ? 1.0f : 0.0f;
    } else {
      const auto label = static_cast<int64_t>(number);
      if (label >= options.classes)
        refuse_pixel(name, number, fmt::format("a class of 0 to {}", options.classes - 1));
      floats[static_cast<int64_t>(i) * options.classes + label] = 1;
    }
  }
}

}  // namespace

Spec mask_field(const MaskSlotOptions& options) {
  const auto [height, width] = options.resize.size;
  if (options.form == MaskSlotOptions::Form::numbers) return {DType::int32, {height, width}};
  const bool is_binary = options.form == MaskSlotOptions::Form::binary;
  return {DType::float32, {height, width, is_binary ? 1 : options.classes}};
}

void decode_mask_into_slot(std::span<const std::byte> bytes, const std::string& name,
                           const MaskSlotOptions& options, std::byte* into) {
  const auto [height, width] = options.resize.size;
  ScratchBytes scratch(static_cast<size_t>(height * width) * sizeof(float));
  auto* pixels = reinterpret_cast<float*>(scratch.bytes().data());
  ResizeOptions resize = options.resize;
  resize.interpolation = ImageInterpolation::nearest;
  ImageResizer resizer(resize, pixels);
  GreyRows grey(name, resizer);
  const bool is_png = kind_by_bytes(bytes) == ImageKind::png;
  const DecodeOptions decode{.mode = ColorMode::rgb, .limits = options.limits, .is_mask = is_png};
  if (is_png)
    decode_image(bytes, name, decode, resizer);
  else
    decode_image(bytes, name, decode, grey);
  write_classes({pixels, static_cast<size_t>(height * width)}, name, options, into);
}

}  // namespace plimsoll
