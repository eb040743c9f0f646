#include "plimsoll/data/sources/image_folder.h"

#include "plimsoll/data/images/resize_image.h"
#include "plimsoll/data/sources/labelled_images.h"

namespace plimsoll {

SourcePtr image_folder(const std::string& path, const ImageFolderOptions& options) {
  std::string root = path;
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  // Before all files are listed, which may take long.
  check_resize({.size = options.image_size,
                .crop_to_aspect_ratio = options.crop_to_aspect_ratio,
                .pad_to_aspect_ratio = options.pad_to_aspect_ratio},
               root);
  const bool has_classes = options.label_mode != LabelMode::none && options.labels.empty();
  ImageIndex index = has_classes ? index_classes(root, options.class_names) : index_images(root);
  return labelled_images({.path = root, .index = std::move(index)}, options);
}

}  // namespace plimsoll
