// Random changes of images while they are read, as Keras's ImageDataGenerator makes them.
#pragma once

#include "plimsoll/data/images/image_augmentation.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// Field 0 is the image (float32; height, width, channels); the others are left alone. What is
// random is a function of the seed, the pass and the record. InvalidArgument if there are no
// such images, or an option is not possible.
SourcePtr augmented(SourcePtr images, const ImageAugmentation& options, int64_t seed);

}  // namespace plimsoll
