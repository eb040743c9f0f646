#include "python/bindings/image_files.h"

#include <utility>

#include "plimsoll/data/sources/labelled_images.h"

namespace plimsoll::python {
namespace {

class ListedImages final : public ImageSource {
 public:
  ListedImages(SourcePtr images, SourcePtr labels, std::vector<std::string> class_names)
      : images_(std::move(images)),
        labels_(std::move(labels)),
        class_names_(std::move(class_names)),
        fields_(images_->fields()) {
    if (labels_ != nullptr)
      fields_.insert(fields_.end(), labels_->fields().begin(), labels_->fields().end());
  }

  int64_t size() const override { return images_->size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override { return images_->name(id); }
  std::span<const std::string> class_names() const override { return class_names_; }
  std::string files_hash() const override { return images_->files_hash(); }
  void with_file(int64_t record, const UseBytes& use) const override {
    with_image_file(*images_, record, use);
  }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    images_->read(id, into.first(1));
    if (labels_ != nullptr) labels_->read(id, into.subspan(1));
  }

 private:
  SourcePtr images_, labels_;
  std::vector<std::string> class_names_;
  Specs fields_;
};

}  // namespace

SourcePtr image_files(ImageFiles files) {
  ImageSet set;
  for (const std::string& path : files.paths) set.index.files.add(path);
  set.index.files.shrink();
  SourcePtr images =
      labelled_images(std::move(set), {.image_size = files.size,
                                       .color_mode = color_mode(files.color_mode),
                                       .label_mode = LabelMode::none,
                                       .interpolation = image_interpolation(files.interpolation),
                                       .crop_to_aspect_ratio = files.aspect == "crop",
                                       .pad_to_aspect_ratio = files.aspect == "pad"});
  return std::make_shared<ListedImages>(std::move(images), std::move(files.labels),
                                        std::move(files.class_names));
}

}  // namespace plimsoll::python
