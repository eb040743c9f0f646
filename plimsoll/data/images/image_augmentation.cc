#include "plimsoll/data/images/image_augmentation.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/random.h"

namespace plimsoll {
namespace {

// The place of each option among a record's random numbers. The places never change, so that runs
// can be repeated.
enum Purpose : size_t {
  kRotation,
  kRowShift,
  kColumnShift,
  kShear,
  kColumnZoom,
  kRowZoom,
  kFlipHorizontal,
  kFlipVertical,
  kChannelShift,
  kBrightness,
};

class Draws {
 public:
  Draws(int64_t seed, RecordId id) {
    const uint64_t key = static_cast<uint64_t>(seed) ^ stream_id("image augmentation", 0);
    const auto low = [](auto number) { return static_cast<uint32_t>(number); };
    for (uint32_t block = 0; block < 3; ++block) {
      const auto words = philox({low(id.number), low(id.number >> 32), low(id.epoch), block},
                                {low(key), low(key >> 32)});
      for (size_t i = 0; i < words.size(); ++i) words_[4 * block + i] = words[i];
    }
  }

  double between(Purpose purpose, double low, double high) const {
    return low + (high - low) * static_cast<double>(uniform01(words_[purpose]));
  }
  double to_either_side(Purpose purpose, double range) const {
    return between(purpose, -range, range);
  }
  bool coin(Purpose purpose) const { return uniform01(words_[purpose]) < 0.5f; }

 private:
  std::array<uint32_t, 12> words_;
};

double in_pixels(double shift, double range, int64_t side) {
  return range < 1 ? shift * static_cast<double>(side) : shift;
}

[[noreturn]] void refuse(const std::string& option, const std::string& expected,
                         const std::string& found) {
  throw InvalidArgument("augmented: " + option + ": expected " + expected + ", found " + found);
}

std::string text_of(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

void check_range(const std::string& option, double value, double most) {
  if (!(value >= 0 && value <= most))
    refuse(option, "a number from 0 to " + text_of(most), text_of(value));
}

void check_limits(const std::string& option, const std::array<double, 2>& limits,
                  bool may_be_zero) {
  const auto [low, high] = limits;
  const bool is_right = (may_be_zero ? low >= 0 : low > 0) && low <= high && std::isfinite(high);
  if (is_right) return;
  refuse(option,
         std::string("the least and the most, ") + (may_be_zero ? "0 or more" : "above 0") +
             " and in this order",
         "{" + text_of(low) + ", " + text_of(high) + "}");
}

void check_features(const std::string& option, const std::vector<float>& values, int64_t channels) {
  const auto count = static_cast<int64_t>(values.size());
  if (count > 1 && count != channels)
    refuse(option, fmt::format("1 number or {}, one for each channel", channels),
           std::to_string(count));
  for (const float value : values)
    if (!std::isfinite(value)) refuse(option, "finite numbers", text_of(value));
}

}  // namespace

void check_augmentation(const ImageAugmentation& options, const ImageShape& shape) {
  const auto pixels = [](int64_t side) { return static_cast<double>(side); };
  check_range("rotation_range", options.rotation_range, 360);
  check_range("width_shift_range", options.width_shift_range, pixels(shape.width));
  check_range("height_shift_range", options.height_shift_range, pixels(shape.height));
  check_range("shear_range", options.shear_range, 89);
  check_range("channel_shift_range", options.channel_shift_range, 1e6);
  check_limits("zoom_range", options.zoom_range, false);
  if (options.brightness_range) check_limits("brightness_range", *options.brightness_range, true);
  if (!std::isfinite(options.cval)) refuse("cval", "a finite number", text_of(options.cval));
  if (!std::isfinite(options.rescale) || options.rescale == 0)
    refuse("rescale", "a finite factor that is not 0", text_of(options.rescale));
  check_features("featurewise_mean", options.featurewise_mean, shape.channels);
  check_features("featurewise_std", options.featurewise_std, shape.channels);
  for (const float value : options.featurewise_std)
    if (value < 0) refuse("featurewise_std", "numbers of 0 or more", text_of(value));
}

ImageTransform draw_transform(const ImageAugmentation& options, const ImageShape& shape,
                              int64_t seed, RecordId id) {
  const Draws draws(seed, id);
  const auto [least_zoom, most_zoom] = options.zoom_range;
  ImageTransform drawn{
      .rotation = draws.to_either_side(kRotation, options.rotation_range),
      .column_shift = in_pixels(draws.to_either_side(kColumnShift, options.width_shift_range),
                                options.width_shift_range, shape.width),
      .row_shift = in_pixels(draws.to_either_side(kRowShift, options.height_shift_range),
                             options.height_shift_range, shape.height),
      .shear = draws.to_either_side(kShear, options.shear_range),
      .column_zoom = draws.between(kColumnZoom, least_zoom, most_zoom),
      .row_zoom = draws.between(kRowZoom, least_zoom, most_zoom),
      .flip_horizontal = options.horizontal_flip && draws.coin(kFlipHorizontal),
      .flip_vertical = options.vertical_flip && draws.coin(kFlipVertical)};
  if (options.channel_shift_range != 0)
    drawn.channel_shift =
        static_cast<float>(draws.to_either_side(kChannelShift, options.channel_shift_range));
  if (const auto& range = options.brightness_range)
    drawn.brightness = static_cast<float>(draws.between(kBrightness, (*range)[0], (*range)[1]));
  return drawn;
}

}  // namespace plimsoll
