// The list of the images under a folder, and where each class begins in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/sources/name_list.h"

namespace plimsoll {

struct ImageIndex {
  NameList files;                    // "cats/3.jpg", from the folder on
  std::vector<std::string> classes;  // the sub-folders; none if they are not asked for
  std::vector<int64_t> ends;         // of each class in `files`

  int64_t class_of(int64_t record) const;
};

// True for the files that are listed, by their names.
using IsListed = bool (*)(std::string_view name);
bool is_listed_image(std::string_view name);

// With `wanted`, these sub-folders only, in this order. InvalidArgument where one is not there, or
// where there is no sub-folder at all; IoError where a folder cannot be listed.
ImageIndex index_classes(const std::string& folder, const std::vector<std::string>& wanted,
                         IsListed is_listed = is_listed_image);

// All images of the folder and what is below, without classes.
ImageIndex index_images(const std::string& folder, IsListed is_listed = is_listed_image);

}  // namespace plimsoll
