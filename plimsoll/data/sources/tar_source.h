// Records from tar archives in WebDataset's naming: files that share their name up to the first dot
// are one record ("0001.jpg" and "0001.cls"), and follow each other. Only an index of eight bytes
// per record is kept in memory, and reading a record is one read of the archive.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/formats/images/image.h"

namespace plimsoll {

struct TarSourceOptions {
  // The files of a record that are its fields, by what follows the first dot of their names, in
  // any case; the last part decides how they are read:
  // - jpg, jpeg, png, webp, bmp, gif ("mask.png"), or "image" for any of them: float32 of shape
  //   (height, width, channels), 0 to 255, resized as image_folder does
  // - cls: a number in text, int32
  // - npy: an array, of the shape and type that the first record has
  std::vector<std::string> fields = {"image", "cls"};
  std::array<int64_t, 2> image_size = {256, 256};
  ColorMode color_mode = ColorMode::rgb;
  ImageLimits limits = {};
  int64_t record_bytes = int64_t{1} << 30;  // of a whole record; a larger one is refused
};

// The archives in their order. CorruptFile where one is damaged or cut off, InvalidArgument where
// they have no record. Reading a record that lacks a field, or whose field is not as it should be,
// is an error that names the file: "train-0.tar/0001.cls: …". Files without a dot in their names
// belong to no record.
SourcePtr tar_source(const std::vector<std::string>& paths, const TarSourceOptions& options = {});

}  // namespace plimsoll
