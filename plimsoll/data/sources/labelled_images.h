// Images and their labels as records, for images that are listed already: of a folder, of an
// archive.
#pragma once

#include <functional>
#include <string>

#include "plimsoll/data/sources/image_folder_options.h"
#include "plimsoll/data/sources/image_index.h"
#include "plimsoll/data/sources/image_source.h"

namespace plimsoll {

struct ImageSet {
  std::string path;  // where they are; it begins the name of each record
  ImageIndex index;
  // Calls `use` with the bytes of an image; `name` is the record's. Null: the name is a file.
  std::function<void(int64_t record, const std::string& name, const UseBytes& use)> with_bytes = {};
  // Source::files_hash(). Null: that of the sizes of the files, if the names are files.
  std::function<std::string()> files_hash = {};
};

// Fields are the image and, unless options.label_mode is none, the label: that of options.labels,
// or the class of the index. InvalidArgument, beginning with the path, where the options do not
// suit.
SourcePtr labelled_images(ImageSet set, const ImageFolderOptions& options);

}  // namespace plimsoll
