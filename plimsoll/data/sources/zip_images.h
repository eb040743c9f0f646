// The images in a zip archive, one folder per class, read in place: nothing is unpacked.
#pragma once

#include <string>

#include "plimsoll/data/sources/image_folder.h"

namespace plimsoll {

// The archive as image_folder() would read its folder: the same fields, classes and order.
// An outer folder that holds everything, most of it in folders of its own, does not count, so that
// photos/cats/1.jpg is of the class cats. What macOS adds (__MACOSX) is passed over. Takes about
// 250 bytes of memory per entry. CorruptFile where the archive is damaged; a damaged entry is found
// when it is read.
SourcePtr zip_images(const std::string& path, const ImageFolderOptions& options = {});

// True if the archive has images and no array of NumPy.
bool has_images_only(const std::string& path);

}  // namespace plimsoll
