// Image files that Python has listed, as records that the engine's threads read.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plimsoll/data/source.h"

namespace plimsoll::python {

struct ImageFiles {
  std::vector<std::string> paths;
  SourcePtr labels;                      // a record for each file; null: there are none
  std::vector<std::string> class_names;  // if the labels are of classes
  std::string color_mode;                // Keras's names, as of the others
  std::array<int64_t, 2> size;
  std::string interpolation;
  std::string aspect;  // "stretch", "crop" or "pad"
};

// Fields are the image, as image_folder() has it, and what the labels have. A record is named by
// its file.
SourcePtr image_files(ImageFiles files);

}  // namespace plimsoll::python
