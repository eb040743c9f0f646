// The part of an augmentation that is not random.
#pragma once

#include "plimsoll/data/images/image_augmentation.h"

namespace plimsoll {

// rescale, then samplewise_*, then featurewise_*, as Keras's ImageDataGenerator.standardize.
void standardize_image(float* image, const ImageShape& shape, const ImageAugmentation& options);

}  // namespace plimsoll
