#include "plimsoll/data/sources/labelled_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/images/image_slot.h"
#include "plimsoll/data/sources/class_label.h"
#include "plimsoll/data/sources/file_sizes.h"

namespace plimsoll {
namespace {

ImageSlotOptions slot_options(const ImageFolderOptions& options) {
  return {.resize = {.size = options.image_size,
                     .interpolation = options.interpolation,
                     .crop_to_aspect_ratio = options.crop_to_aspect_ratio,
                     .pad_to_aspect_ratio = options.pad_to_aspect_ratio},
          .color_mode = options.color_mode,
          .fast_decode = options.fast_decode,
          .limits = options.limits};
}

class LabelledImages final : public ImageSource {
 public:
  LabelledImages(ImageSet set, const ImageFolderOptions& options)
      : set_(std::move(set)), options_(options), slot_(slot_options(options)) {
    check_resize(slot_.resize, set_.path);
    const bool has_labels = options.label_mode != LabelMode::none;
    if (has_labels && !options.labels.empty()) take_labels();
    fields_ = {image_field(slot_)};
    if (has_labels) fields_.push_back(class_label_field(options.label_mode, classes(), set_.path));
  }

  int64_t size() const override { return set_.index.files.size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override {
    const std::string below(set_.index.files[id.number]);
    return set_.path.empty() ? below : set_.path + "/" + below;
  }
  std::span<const std::string> class_names() const override { return set_.index.classes; }
  std::string files_hash() const override {
    if (set_.files_hash) return set_.files_hash();
    if (set_.with_bytes) return {};
    return hash_of_file_sizes(size(), [this](int64_t record) { return name(record); });
  }
  std::optional<int64_t> class_of(RecordId id) const override {
    if (fields_.size() < 2) return std::nullopt;
    return class_number(id.number);
  }

  void with_file(int64_t record, const UseBytes& use) const override {
    if (set_.with_bytes)
      set_.with_bytes(record, name(record), use);
    else
      with_image_bytes(name(record), slot_.limits, use);
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    with_file(id.number, [&](std::span<const std::byte> bytes) {
      decode_into_slot(bytes, name(id), slot_, into[0]);
    });
    if (fields_.size() > 1)
      write_class_label(options_.label_mode, class_number(id.number), classes(), into[1]);
  }

 private:
  int64_t classes() const { return std::ssize(set_.index.classes); }
  int64_t class_number(int64_t record) const {
    return options_.labels.empty() ? set_.index.class_of(record)
                                   : options_.labels[static_cast<size_t>(record)];
  }

  // Checks the labels that are given, and names their classes.
  void take_labels() {
    if (std::ssize(options_.labels) != size())
      throw InvalidArgument(fmt::format("{}: expected a label for each of {} files, found {}",
                                        set_.path, size(), options_.labels.size()));
    constexpr int64_t kMostClasses = 1 << 20;
    const auto [least, most] = std::ranges::minmax(options_.labels);
    if (least < 0 || most >= kMostClasses)
      throw InvalidArgument(fmt::format("{}: expected labels of 0 to {}, found {}", set_.path,
                                        kMostClasses - 1, least < 0 ? least : most));
    set_.index.classes = options_.class_names;
    for (int64_t i = std::ssize(set_.index.classes); i <= most; ++i)
      set_.index.classes.push_back(std::to_string(i));
  }

  ImageSet set_;
  ImageFolderOptions options_;
  ImageSlotOptions slot_;
  Specs fields_;
};

}  // namespace

SourcePtr labelled_images(ImageSet set, const ImageFolderOptions& options) {
  return std::make_shared<LabelledImages>(std::move(set), options);
}

}  // namespace plimsoll
