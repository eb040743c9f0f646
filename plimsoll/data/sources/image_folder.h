// Images in a folder, one sub-folder per class, as Keras's image_dataset_from_directory has them.
#pragma once

#include <string>

#include "plimsoll/data/source.h"
#include "plimsoll/data/sources/image_folder_options.h"

namespace plimsoll {

// Fields are the image (float32, 0 to 255, channels last) and the label. Records are in the order
// of Keras without shuffling: by class, then folder, then name. Files of other names than .bmp,
// .gif, .jpeg, .jpg, .png and .webp are passed over. Only an index of less than 100 bytes per
// record is kept in memory.
SourcePtr image_folder(const std::string& path, const ImageFolderOptions& options = {});

}  // namespace plimsoll
