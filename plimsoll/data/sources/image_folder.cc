#include "plimsoll/data/sources/image_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/images/image_slot.h"
#include "plimsoll/data/sources/image_index.h"

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

class ImageFolder final : public Source {
 public:
  ImageFolder(std::string path, const ImageFolderOptions& options)
      : path_(std::move(path)), options_(options), slot_(slot_options(options)) {
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
    check_resize(slot_.resize, path_);
    const bool has_labels = options.label_mode != LabelMode::none;
    index_ = has_labels && options.labels.empty() ? index_classes(path_, options.class_names)
                                                  : index_images(path_);
    if (has_labels && !options.labels.empty()) take_labels();
    fields_ = {image_field(slot_)};
    if (has_labels) fields_.push_back(label_field());
  }

  int64_t size() const override { return index_.files.size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override {
    return path_ + "/" + std::string(index_.files[id.number]);
  }
  std::span<const std::string> class_names() const override { return index_.classes; }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    read_into_slot(name(id), slot_, into[0]);
    if (fields_.size() > 1) write_label(class_of(id.number), into[1]);
  }

 private:
  int64_t class_of(int64_t record) const {
    return options_.labels.empty() ? index_.class_of(record)
                                   : options_.labels[static_cast<size_t>(record)];
  }

  // Checks the labels that are given, and names their classes.
  void take_labels() {
    if (std::ssize(options_.labels) != size())
      throw InvalidArgument(fmt::format("{}: expected a label for each of {} files, found {}",
                                        path_, size(), options_.labels.size()));
    constexpr int64_t kMostClasses = 1 << 20;
    const auto [least, most] = std::ranges::minmax(options_.labels);
    if (least < 0 || most >= kMostClasses)
      throw InvalidArgument(fmt::format("{}: expected labels of 0 to {}, found {}", path_,
                                        kMostClasses - 1, least < 0 ? least : most));
    index_.classes = options_.class_names;
    for (int64_t i = std::ssize(index_.classes); i <= most; ++i)
      index_.classes.push_back(std::to_string(i));
  }

  Spec label_field() const {
    const auto classes = static_cast<int64_t>(index_.classes.size());
    if (options_.label_mode == LabelMode::categorical) return {DType::float32, {classes}};
    if (options_.label_mode == LabelMode::integer) return {DType::int32, {}};
    if (classes != 2)
      throw InvalidArgument(
          fmt::format("{}: binary labels need exactly 2 classes, found {}", path_, classes));
    return {DType::float32, {1}};
  }

  void write_label(int64_t label, std::byte* into) const {
    if (options_.label_mode == LabelMode::integer) {
      const auto number = static_cast<int32_t>(label);
      std::memcpy(into, &number, sizeof number);
      return;
    }
    auto* numbers = reinterpret_cast<float*>(into);
    if (options_.label_mode == LabelMode::binary) {
      numbers[0] = static_cast<float>(label);
      return;
    }
    std::fill_n(numbers, index_.classes.size(), 0.0f);
    numbers[label] = 1;
  }

  std::string path_;
  ImageFolderOptions options_;
  ImageSlotOptions slot_;
  ImageIndex index_;
  Specs fields_;
};

}  // namespace

LabelMode label_mode(const std::string& name) {
  if (name == "int") return LabelMode::integer;
  if (name == "categorical") return LabelMode::categorical;
  if (name == "binary") return LabelMode::binary;
  throw InvalidArgument("label_mode: expected int, categorical or binary, found '" + name + "'");
}

SourcePtr image_folder(const std::string& path, const ImageFolderOptions& options) {
  return std::make_shared<ImageFolder>(path, options);
}

}  // namespace plimsoll
