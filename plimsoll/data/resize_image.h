// Resizing of decoded images.
#pragma once

#include "plimsoll/formats/image.h"

namespace plimsoll {

// Bilinear without antialiasing, pixel centres at halves, into floats from 0 to 255: the numbers of
// tf.image.resize, which Keras's image_dataset_from_directory calls. `into` has height * width *
// image.channels elements.
void resize_bilinear(const Image& image, int64_t height, int64_t width, float* into);

}  // namespace plimsoll
