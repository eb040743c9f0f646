// Layers that change the colours and the tones of images, and pipelines of layers.
#include "plimsoll/nn/images/layer_pipeline.h"
#include "plimsoll/nn/images/random_affine.h"
#include "plimsoll/nn/images/random_hue.h"
#include "plimsoll/nn/images/random_sharpness.h"
#include "plimsoll/nn/images/rescaling.h"
#include "plimsoll/nn/images/tones.h"
#include "plimsoll/nn/layers/layer_rows.h"

namespace plimsoll {
namespace {

Layer pipeline_example() {
  return LayerPipeline({.layers = {Rescaling({.scale = 0.5, .name = "rescaling"}),
                                   RandomShear({.x_factor = 0.1, .name = "shear"})}});
}
Layer auto_contrast_example() {
  return AutoContrast({.value_range = {0, 3}});
}
Layer random_color_degeneration_example() {
  return RandomColorDegeneration({.factor = 0.3, .value_range = {-9, 9}});
}
Layer random_color_jitter_example() {
  return RandomColorJitter(
      {.value_range = {-9, 9}, .brightness_factor = 0.2, .contrast_factor = 0.3});
}
Layer random_erasing_example() {
  return RandomErasing({.value_range = {-9, 9}});
}
Layer random_gaussian_blur_example() {
  return RandomGaussianBlur({.kernel_size = {3, 5}, .value_range = {-9, 9}});
}
Layer random_hue_example() {
  return RandomHue({.factor = 0.3, .value_range = {-9, 9}});
}
Layer random_invert_example() {
  return RandomInvert({.value_range = {-9, 9}});
}
Layer random_posterization_example() {
  return RandomPosterization({.factor = 4, .value_range = {-9, 9}});
}
Layer random_saturation_example() {
  return RandomSaturation({.factor = {0.3, 0.6}});
}
Layer random_sharpness_example() {
  return RandomSharpness({.factor = 0.3, .value_range = {-9, 9}});
}
Layer random_shear_example() {
  return RandomShear({.x_factor = 0.2, .y_factor = {0.1, 0.2}});
}
Layer solarization_example() {
  return Solarization({.addition_factor = 0.1, .threshold_factor = 0.4, .value_range = {-9, 9}});
}

}  // namespace

LayerRows augmentation_layer_rows() {
  const std::vector<Shape> images = {{2, 5, 6, 3}};
  return {
      {"Pipeline",
       from_config<LayerPipeline, LayerPipelineOptions>,
       pipeline_example,
       images,
       {},
       DType::float32,
       {},
       kKerasLayers,
       false},
      {"AutoContrast",
       from_config<AutoContrast, AutoContrastOptions>,
       auto_contrast_example,
       images,
       {}},
      {"RandomColorDegeneration",
       from_config<RandomColorDegeneration, RandomColorDegenerationOptions>,
       random_color_degeneration_example,
       images,
       {}},
      {"RandomColorJitter",
       from_config<RandomColorJitter, RandomColorJitterOptions>,
       random_color_jitter_example,
       images,
       {}},
      {"RandomErasing",
       from_config<RandomErasing, RandomErasingOptions>,
       random_erasing_example,
       images,
       {}},
      {"RandomGaussianBlur",
       from_config<RandomGaussianBlur, RandomGaussianBlurOptions>,
       random_gaussian_blur_example,
       images,
       {}},
      {"RandomGrayscale",
       from_config<RandomGrayscale, RandomGrayscaleOptions>,
       with_defaults<RandomGrayscale>,
       images,
       {}},
      {"RandomHue", from_config<RandomHue, RandomHueOptions>, random_hue_example, images, {}},
      {"RandomInvert",
       from_config<RandomInvert, RandomInvertOptions>,
       random_invert_example,
       images,
       {}},
      {"RandomPosterization",
       from_config<RandomPosterization, RandomPosterizationOptions>,
       random_posterization_example,
       images,
       {}},
      {"RandomSaturation",
       from_config<RandomSaturation, RandomSaturationOptions>,
       random_saturation_example,
       images,
       {}},
      {"RandomSharpness",
       from_config<RandomSharpness, RandomSharpnessOptions>,
       random_sharpness_example,
       images,
       {}},
      {"RandomShear",
       from_config<RandomShear, RandomShearOptions>,
       random_shear_example,
       images,
       {}},
      {"Solarization",
       from_config<Solarization, SolarizationOptions>,
       solarization_example,
       images,
       {}},
  };
}

}  // namespace plimsoll
