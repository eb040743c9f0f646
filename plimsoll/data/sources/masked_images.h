// Images with masks: folder/images/NAME.jpg, and folder/masks/NAME.png with the class of each
// pixel.
#pragma once

#include <functional>
#include <string>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/images/mask_slot.h"
#include "plimsoll/data/sources/image_folder.h"

namespace plimsoll {

struct MaskedImagesOptions {
  ImageFolderOptions images = {};  // labels are not used
  MaskSlotOptions masks = {};      // where they are resized, as the images are
  // Called with a note about masks that have no image.
  std::function<void(const Finding&)> announce = {};
};

// Fields are the image and its mask. The mask of images/a/1.jpg is masks/a/1.png or
// masks/a/1_mask.png, of any format that images have. An image without a mask is a bad record.
// InvalidArgument if no image has one.
SourcePtr masked_images(const std::string& folder, const MaskedImagesOptions& options = {});

// True if the folder has folders `images` and `masks`.
bool has_masks(const std::string& folder);

}  // namespace plimsoll
