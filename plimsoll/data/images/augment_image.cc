#include "plimsoll/data/images/augment_image.h"

#include <fmt/format.h>

#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/images/standardize_image.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"

namespace plimsoll {
namespace {

class Augmented final : public SourceStage {
 public:
  Augmented(SourcePtr images, const ImageAugmentation& options, int64_t seed)
      : SourceStage(std::move(images)), options_(options), seed_(seed) {
    const Spec& field = fields()[0];
    if (field.dtype != DType::float32 || field.shape.rank() != 3)
      throw InvalidArgument(
          "augmented: expected field 0 to be images (float32; height, width, channels), found " +
          field.to_string());
    shape_ = {field.shape[0], field.shape[1], field.shape[2]};
    refuse_masks();
    check_augmentation(options, shape_);
  }

  bool is_in_memory() const override { return false; }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    const ImageTransform transform = draw_transform(options_, shape_, seed_, id);
    auto* image = reinterpret_cast<float*>(into[0]);
    if (transform.is_affine()) {
      read_moved(id, into, transform);
    } else {
      inner().read(id, into);
      transform_in_place(image, shape_, transform);
    }
    standardize_image(image, shape_, options_);
  }

 private:
  // A mask would stay where it is while its image moves.
  void refuse_masks() const {
    for (size_t i = 1; i < fields().size(); ++i)
      if (fields()[i].shape.rank() >= 2)
        throw InvalidArgument(fmt::format(
            "augmented: field {} ({}) has a mask or a second image, which would not be moved with "
            "the image of field 0; train without augmentation",
            i, fields()[i].to_string()));
  }

  void read_moved(RecordId id, std::span<std::byte* const> into,
                  const ImageTransform& transform) const {
    ScratchBytes scratch(static_cast<size_t>(shape_.elements()) * sizeof(float));
    std::vector<std::byte*> places(into.begin(), into.end());
    places[0] = scratch.bytes().data();
    inner().read(id, places);
    transform_image(reinterpret_cast<const float*>(places[0]), shape_, transform,
                    options_.fill_mode, options_.cval, reinterpret_cast<float*>(into[0]));
  }

  ImageAugmentation options_;
  int64_t seed_;
  ImageShape shape_;
};

}  // namespace

SourcePtr augmented(SourcePtr images, const ImageAugmentation& options, int64_t seed) {
  return std::make_shared<Augmented>(std::move(images), options, seed);
}

}  // namespace plimsoll
