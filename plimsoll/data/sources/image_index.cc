#include "plimsoll/data/sources/image_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "plimsoll/base/error.h"
#include "plimsoll/base/printable.h"
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

// False for a link that leads nowhere or to itself.
bool leads_to_folder(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.is_directory(error);
}

bool is_link(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.is_symlink(error);
}

// The folders from `top` on, sorted by their paths; links to folders are not followed.
std::vector<std::string> folders_below(const fs::path& root, const std::string& top) {
  std::vector<std::string> folders = {top};
  for (size_t i = 0; i < folders.size(); ++i)
    for (const fs::directory_entry& entry : list(root / folders[i]))
      if (leads_to_folder(entry) && !is_link(entry))
        folders.push_back((fs::path(folders[i]) / entry.path().filename()).string());
  std::ranges::sort(folders);
  return folders;
}

void add_images(const fs::path& root, const std::string& top, IsListed is_listed, NameList& files) {
  for (const std::string& folder : folders_below(root, top)) {
    const int64_t first = files.size();
    for (const fs::directory_entry& entry : list(root / folder)) {
      const std::string name = entry.path().filename().string();
      if (is_listed(name) && !leads_to_folder(entry)) files.add((fs::path(folder) / name).string());
    }
    files.sort_from(first);
  }
}

std::vector<std::string> sub_folders(const fs::path& root) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : list(root)) {
    const std::string name = entry.path().filename().string();
    if (leads_to_folder(entry) && !name.starts_with(".")) names.push_back(name);
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

// A class has the name of its folder, in valid UTF-8: it is written to JSON, and given back from
// there.
struct ClassFolder {
  std::string name, folder;
};

std::vector<ClassFolder> choose(const std::string& folder, const std::vector<std::string>& wanted) {
  const std::vector<std::string> found = sub_folders(folder);
  if (found.empty())
    throw InvalidArgument(folder +
                          ": expected a folder for each class, found none; sort the "
                          "files into sub-folders named as their classes");
  std::vector<ClassFolder> all, chosen;
  for (const std::string& own : found) all.push_back({valid_utf8(own), own});
  for (const std::string& name : wanted) {
    const auto own = std::ranges::find(all, name, &ClassFolder::name);
    if (own == all.end())
      throw InvalidArgument(fmt::format("{}: expected a folder for the class '{}', found {}",
                                        folder, name, joined(found)));
    chosen.push_back(*own);
  }
  return wanted.empty() ? all : chosen;
}

void refuse_none(const std::string& folder, const ImageIndex& index, IsListed is_listed) {
  if (index.files.size() > 0) return;
  throw InvalidArgument(
      folder + (is_listed == is_listed_image
                    ? ": expected files that end with .bmp, .gif, .jpeg, .jpg, .png or .webp, "
                      "found none"
                    : ": expected files that end with .txt, found none"));
}

}  // namespace

int64_t ImageIndex::class_of(int64_t record) const {
  return std::ranges::upper_bound(ends, record) - ends.begin();
}

bool is_listed_image(std::string_view name) {
  return kind_by_name(name).has_value();
}

ImageIndex index_classes(const std::string& folder, const std::vector<std::string>& wanted,
                         IsListed is_listed) {
  ImageIndex index;
  for (const auto& [name, own_folder] : choose(folder, wanted)) {
    index.classes.push_back(name);
    add_images(folder, own_folder, is_listed, index.files);
    index.ends.push_back(index.files.size());
  }
  index.files.shrink();
  refuse_none(folder, index, is_listed);
  return index;
}

ImageIndex index_images(const std::string& folder, IsListed is_listed) {
  ImageIndex index;
  add_images(folder, "", is_listed, index.files);
  index.files.shrink();
  refuse_none(folder, index, is_listed);
  return index;
}

}  // namespace plimsoll
