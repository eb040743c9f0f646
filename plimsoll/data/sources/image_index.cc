#include "plimsoll/data/sources/image_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

fs::directory_iterator list(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw IoError(folder.string() + ": cannot be listed: " + error.message());
  return entries;
}

// The folders from `top` on, sorted by their paths; links to folders are not followed.
std::vector<std::string> folders_below(const fs::path& root, const std::string& top) {
  std::vector<std::string> folders = {top};
  for (size_t i = 0; i < folders.size(); ++i)
    for (const fs::directory_entry& entry : list(root / folders[i]))
      if (entry.is_directory() && !entry.is_symlink())
        folders.push_back((fs::path(folders[i]) / entry.path().filename()).string());
  std::ranges::sort(folders);
  return folders;
}

void add_images(const fs::path& root, const std::string& top, NameList& files) {
  for (const std::string& folder : folders_below(root, top)) {
    const int64_t first = files.size();
    for (const fs::directory_entry& entry : list(root / folder)) {
      const std::string name = entry.path().filename().string();
      if (kind_by_name(name) && !entry.is_directory())
        files.add((fs::path(folder) / name).string());
    }
    files.sort_from(first);
  }
}

std::vector<std::string> sub_folders(const fs::path& root) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : list(root)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && !name.starts_with(".")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  constexpr size_t kShown = 20;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += (i > 0 ? ", " : "") + names[i];
  return text + (names.size() > kShown ? ", …" : "");
}

std::vector<std::string> choose(const std::string& folder, const std::vector<std::string>& wanted) {
  const std::vector<std::string> found = sub_folders(folder);
  if (found.empty())
    throw InvalidArgument(folder +
                          ": expected a folder for each class, found none; sort the "
                          "images into sub-folders named as their classes");
  for (const std::string& name : wanted)
    if (!std::ranges::binary_search(found, name))
      throw InvalidArgument(fmt::format("{}: expected a folder for the class '{}', found {}",
                                        folder, name, joined(found)));
  return wanted.empty() ? found : wanted;
}

void refuse_none(const std::string& folder, const ImageIndex& index) {
  if (index.files.size() == 0)
    throw InvalidArgument(folder +
                          ": expected files that end with .bmp, .gif, .jpeg, .jpg, .png or .webp, "
                          "found none");
}

}  // namespace

int64_t ImageIndex::class_of(int64_t record) const {
  return std::ranges::upper_bound(ends, record) - ends.begin();
}

ImageIndex index_classes(const std::string& folder, const std::vector<std::string>& wanted) {
  ImageIndex index;
  index.classes = choose(folder, wanted);
  for (const std::string& name : index.classes) {
    add_images(folder, name, index.files);
    index.ends.push_back(index.files.size());
  }
  index.files.shrink();
  refuse_none(folder, index);
  return index;
}

ImageIndex index_images(const std::string& folder) {
  ImageIndex index;
  add_images(folder, "", index.files);
  index.files.shrink();
  refuse_none(folder, index);
  return index;
}

}  // namespace plimsoll
