// How images and the labels of their classes are read.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/data/images/resize_rows.h"
#include "plimsoll/formats/images/image.h"

namespace plimsoll {

// How a label is written: as a number (int32), as one of several (float32, a 1 among 0s), as 0 or 1
// (float32, of two classes), or not at all: then the folder need not have sub-folders.
enum class LabelMode { integer, categorical, binary, none };

// Reads Keras's names: "int", "categorical", "binary". InvalidArgument for anything else.
LabelMode label_mode(const std::string& name);

struct ImageFolderOptions {
  std::array<int64_t, 2> image_size = {256, 256};  // height, width; others are resized to it
  ColorMode color_mode = ColorMode::rgb;
  LabelMode label_mode = LabelMode::integer;
  // Of the sub-folders that are classes, in the order of their numbers; empty: all of them, sorted.
  std::vector<std::string> class_names = {};
  // The number of each file's class, in the order of the files as they are without labels; then
  // sub-folders are no classes, and class_names, if given, are the names of these numbers.
  std::vector<int64_t> labels = {};
  ImageInterpolation interpolation = ImageInterpolation::bilinear;
  // Where an image has other proportions than image_size: its middle is taken, or zeros are put
  // around it. With neither, it is stretched.
  bool crop_to_aspect_ratio = false, pad_to_aspect_ratio = false;
  // JPEG files are decoded at a fraction of their size where that is not below three quarters of
  // image_size: faster, and near to the exact pixels.
  bool fast_decode = false;
  ImageLimits limits = {};
};

}  // namespace plimsoll
