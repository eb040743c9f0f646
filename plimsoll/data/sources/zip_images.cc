#include "plimsoll/data/sources/zip_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/base/xxh3.h"
#include "plimsoll/data/sources/labelled_images.h"
#include "plimsoll/formats/archives/zip_archive.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

bool is_image_entry(const ZipEntry& entry) {
  return kind_by_name(entry.name).has_value() && !entry.name.starts_with("__MACOSX/");
}

// An entry, and the parts of its name that decide about its place.
struct ImageEntry {
  uint32_t number = 0;
  std::string_view folder, name;  // "cats/old", "1.jpg"

  std::string_view top() const { return folder.substr(0, folder.find('/')); }
};

class ZipIndexer {
 public:
  ZipIndexer(const ZipArchive& archive, const ImageFolderOptions& options)
      : archive_(archive), options_(options) {
    for (size_t i = 0; i < archive.entries().size(); ++i)
      if (is_image_entry(archive.entries()[i])) add(static_cast<uint32_t>(i));
    if (images_.empty())
      throw InvalidArgument(archive.name() +
                            ": expected files that end with .bmp, .gif, .jpeg, .jpg, .png or "
                            ".webp, found none");
    drop_outer_folders();
    std::ranges::sort(images_, {},
                      [](const ImageEntry& image) { return std::pair(image.folder, image.name); });
  }

  // The images of each class one after the other, or all of them.
  ImageIndex index() {
    ImageIndex index;
    const bool has_classes = options_.label_mode != LabelMode::none && options_.labels.empty();
    if (!has_classes) {
      take(index, [](const ImageEntry&) { return true; });
    } else {
      index.classes = classes();
      for (const std::string& name : index.classes) {
        take(index, [&](const ImageEntry& image) { return image.top() == name; });
        index.ends.push_back(index.files.size());
      }
    }
    index.files.shrink();
    return index;
  }
  // The entry of each record.
  std::vector<uint32_t> entries() { return std::move(entries_); }

 private:
  void add(uint32_t number) {
    const std::string_view path = archive_.entries()[number].name;
    const size_t slash = path.rfind('/');
    const bool has_folder = slash != path.npos;
    images_.push_back({number, has_folder ? path.substr(0, slash) : std::string_view{},
                       path.substr(has_folder ? slash + 1 : 0)});
  }

  // photos/cats/1.jpg is cats/1.jpg where all images are below photos, and most are in its folders.
  void drop_outer_folders() {
    while (has_outer_folder())
      for (ImageEntry& image : images_)
        image.folder.remove_prefix(std::min(image.folder.size(), image.top().size() + 1));
  }
  bool has_outer_folder() const {
    const std::string_view top = images_[0].top();
    const auto is_below = [&](const ImageEntry& image) { return image.top() == top; };
    const auto is_deeper = [&](const ImageEntry& image) {
      return image.folder.size() > top.size();
    };
    return !top.empty() && std::ranges::all_of(images_, is_below) &&
           std::ranges::count_if(images_, is_deeper) > std::ssize(images_) / 2;
  }

  Names classes() const {
    std::set<std::string, std::less<>> found;
    for (const ImageEntry& image : images_)
      if (!image.folder.empty()) found.emplace(image.top());
    if (found.empty())
      throw InvalidArgument(archive_.name() +
                            ": expected a folder for each class in the archive, found none; sort "
                            "the images into folders named as their classes");
    for (const std::string& name : options_.class_names)
      if (!found.contains(name))
        throw InvalidArgument(fmt::format("{}: expected a folder for the class '{}', found {}",
                                          archive_.name(), name, fmt::join(found, ", ")));
    return options_.class_names.empty() ? Names(found.begin(), found.end()) : options_.class_names;
  }

  template <class Choose>
  void take(ImageIndex& index, const Choose& choose) {
    for (const ImageEntry& image : images_) {
      if (!choose(image)) continue;
      index.files.add(archive_.entries()[image.number].name);
      entries_.push_back(image.number);
    }
  }

  const ZipArchive& archive_;
  const ImageFolderOptions& options_;
  std::vector<ImageEntry> images_;
  std::vector<uint32_t> entries_;
};

}  // namespace

SourcePtr zip_images(const std::string& path, const ImageFolderOptions& options) {
  const auto archive = std::make_shared<const ZipArchive>(path);
  ZipIndexer indexer(*archive, options);
  ImageIndex index = indexer.index();
  const auto entries = std::make_shared<const std::vector<uint32_t>>(indexer.entries());
  const auto read = [archive, entries, limits = options.limits](
                        int64_t record, const std::string& name, const UseBytes& use) {
    const ZipEntry& entry = archive->entries()[(*entries)[static_cast<size_t>(record)]];
    if (entry.size > limits.file_bytes)
      throw FlawedRecord(Flaw::too_large,
                         fmt::format("{}: the file has {}, at most {} are read as an image", name,
                                     format_bytes(entry.size), format_bytes(limits.file_bytes)));
    ScratchBytes bytes(static_cast<size_t>(entry.size));
    archive->read_into(entry, bytes.bytes());
    use(bytes.bytes());
  };
  const auto checksums = [archive, entries] {
    Xxh3 hash;
    for (const uint32_t entry : *entries) {
      const uint32_t checksum = archive->entries()[entry].checksum;
      hash.add({reinterpret_cast<const char*>(&checksum), sizeof checksum});
    }
    return hash.text();
  };
  return labelled_images(
      {.path = path, .index = std::move(index), .with_bytes = read, .files_hash = checksums},
      options);
}

bool has_images_only(const std::string& path) {
  const ZipArchive archive(path);
  const auto is_array = [](const ZipEntry& entry) { return entry.name.ends_with(".npy"); };
  return std::ranges::any_of(archive.entries(), is_image_entry) &&
         std::ranges::none_of(archive.entries(), is_array);
}

}  // namespace plimsoll
