#include "plimsoll/data/sources/masked_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/base/xxh3.h"
#include "plimsoll/data/sources/file_sizes.h"
#include "plimsoll/data/sources/labelled_images.h"

namespace plimsoll {
namespace {

constexpr std::string_view kMaskSuffix = "_mask";

// "a/1.jpg" -> "a/1"
std::string_view stem_of(std::string_view name) {
  return name.substr(0, name.rfind('.'));
}

class MaskedImages final : public ImageSource {
 public:
  MaskedImages(const std::string& folder, const MaskedImagesOptions& options)
      : folder_(folder), options_(options), masks_(index_images(folder + "/masks")) {
    check_resize(options.masks.resize, folder);
    ImageIndex images = index_images(folder + "/images");
    pair(images, options.announce);
    ImageFolderOptions images_alone = options.images;
    images_alone.label_mode = LabelMode::none;
    images_ =
        labelled_images({.path = folder + "/images", .index = std::move(images)}, images_alone);
    fields_ = {images_->fields()[0], mask_field(options.masks)};
  }

  int64_t size() const override { return images_->size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override { return images_->name(id); }
  std::string files_hash() const override {
    const auto path = [this](int64_t mask) { return mask_path(mask); };
    return xxh3_of(images_->files_hash() + hash_of_file_sizes(masks_.files.size(), path));
  }
  void with_file(int64_t record, const UseBytes& use) const override {
    with_image_file(*images_, record, use);
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    images_->read(id, into.first(1));
    const int32_t mask = mask_of_[static_cast<size_t>(id.number)];
    if (mask < 0)
      throw FlawedRecord(Flaw::missing,
                         fmt::format("{}: has no mask; expected {}/masks/{}.png", name(id), folder_,
                                     stem_of(name(id).substr(folder_.size() + 8))));
    const std::string path = mask_path(mask);
    with_image_bytes(path, options_.masks.limits, [&](std::span<const std::byte> bytes) {
      decode_mask_into_slot(bytes, path, options_.masks, into[1]);
    });
  }

 private:
  std::string mask_path(int64_t mask) const {
    return fmt::format("{}/masks/{}", folder_, masks_.files[mask]);
  }

  void pair(const ImageIndex& images, const std::function<void(const Finding&)>& announce) {
    std::map<std::string_view, int32_t> by_stem;
    for (int64_t i = 0; i < masks_.files.size(); ++i)
      by_stem.emplace(stem_of(masks_.files[i]), static_cast<int32_t>(i));
    int64_t paired = 0;
    for (int64_t i = 0; i < images.files.size(); ++i) {
      const std::string stem(stem_of(images.files[i]));
      auto found = by_stem.find(stem);
      if (found == by_stem.end()) found = by_stem.find(stem + std::string(kMaskSuffix));
      mask_of_.push_back(found == by_stem.end() ? -1 : found->second);
      paired += found != by_stem.end() ? 1 : 0;
    }
    if (paired == 0)
      throw InvalidArgument(fmt::format(
          "{}: no image has a mask; expected masks/{}.png for images/{}, found masks/{}", folder_,
          stem_of(images.files[0]), images.files[0], masks_.files[0]));
    if (paired < masks_.files.size() && announce)
      announce(
          {.where = folder_,
           .what = fmt::format("{} mask(s) belong to no image", masks_.files.size() - paired)});
  }

  std::string folder_;
  MaskedImagesOptions options_;
  ImageIndex masks_;
  std::vector<int32_t> mask_of_;  // of each image; -1: it has none
  SourcePtr images_;
  Specs fields_;
};

}  // namespace

SourcePtr masked_images(const std::string& folder, const MaskedImagesOptions& options) {
  std::string root = folder;
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  return std::make_shared<MaskedImages>(root, options);
}

bool has_masks(const std::string& folder) {
  std::error_code error;
  return std::filesystem::is_directory(folder + "/images", error) &&
         std::filesystem::is_directory(folder + "/masks", error);
}

}  // namespace plimsoll
