#include "plimsoll/data/images/standardize_image.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kLeastDeviation = 1e-6;  // Keras adds it to what it divides by

// x becomes x * by + plus.
struct Line {
  double by = 1, plus = 0;

  void subtract(double number) { plus -= number; }
  void divide(double number) {
    by /= number;
    plus /= number;
  }
};

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments_of(const float* image, int64_t elements) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < elements; ++i) sum += image[i];
  const double mean = sum / static_cast<double>(elements);
  for (int64_t i = 0; i < elements; ++i) squares += (image[i] - mean) * (image[i] - mean);
  return {mean, std::sqrt(squares / static_cast<double>(elements))};
}

Line samplewise(const float* image, int64_t elements, const ImageAugmentation& options) {
  Line line{.by = options.rescale};
  if (!options.samplewise_center && !options.samplewise_std_normalization) return line;
  const Moments found = moments_of(image, elements);
  const double deviation = found.deviation * std::abs(line.by);
  line.subtract(found.mean * line.by);
  if (options.samplewise_std_normalization) line.divide(deviation + kLeastDeviation);
  return line;
}

double feature(const std::vector<float>& values, int64_t channel) {
  return values.size() == 1 ? values[0] : values[static_cast<size_t>(channel)];
}

// Of every `step`th element.
void apply(const Line& line, float* image, int64_t elements, int64_t step) {
  const auto by = static_cast<float>(line.by), plus = static_cast<float>(line.plus);
  for (int64_t i = 0; i < elements; i += step) image[i] = image[i] * by + plus;
}

}  // namespace

void standardize_image(float* image, const ImageShape& shape, const ImageAugmentation& options) {
  const int64_t elements = shape.elements();
  const Line line = samplewise(image, elements, options);
  const auto &means = options.featurewise_mean, &deviations = options.featurewise_std;
  if (means.empty() && deviations.empty()) {
    if (line.by != 1 || line.plus != 0) apply(line, image, elements, 1);
    return;
  }
  for (int64_t c = 0; c < shape.channels; ++c) {
    Line of_channel = line;
    if (!means.empty()) of_channel.subtract(feature(means, c));
    if (!deviations.empty()) of_channel.divide(feature(deviations, c) + kLeastDeviation);
    apply(of_channel, image + c, elements - c, shape.channels);
  }
}

}  // namespace plimsoll
