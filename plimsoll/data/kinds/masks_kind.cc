// Folders of images with masks, for models that give a class to each pixel.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/image_request.h"
#include "plimsoll/data/sources/masked_images.h"

namespace plimsoll {
namespace {

bool is_folder_with_masks(const DataFile& file) {
  return file.is_folder && has_masks(file.path);
}

// Of the size of the model's output, in the form that its loss takes.
MaskSlotOptions mask_options(const DataRequest& request, const ImageFolderOptions& images) {
  MaskSlotOptions options;
  options.resize = {.size = images.image_size,
                    .crop_to_aspect_ratio = images.crop_to_aspect_ratio,
                    .pad_to_aspect_ratio = images.pad_to_aspect_ratio};
  if (!request.is_for_model) return options;
  if (request.outputs.size() != 1 || request.outputs[0].spec.shape.rank() != 3)
    throw InvalidArgument(
        fmt::format("{}: masks need a model with one output of shape (height, width, classes), "
                    "found {}",
                    request.path, shape_text(request.outputs[0].spec.shape)));
  const Shape& shape = request.outputs[0].spec.shape;
  for (size_t i = 0; i < 2; ++i)
    if (shape[static_cast<int>(i)] != kOpenSize)
      options.resize.size[i] = shape[static_cast<int>(i)];
  options.classes = shape[2];
  if (request.only_form() == TargetForm::class_numbers) return options;
  if (options.classes == 1)
    options.form = MaskSlotOptions::Form::binary;
  else if (request.only_form() == TargetForm::class_vectors && options.classes != kOpenSize)
    options.form = MaskSlotOptions::Form::vectors;
  else
    throw InvalidArgument(fmt::format(
        "{}: the numbers of a mask are classes; the model's output '{}' has {} numbers per pixel, "
        "and its loss does not take classes (choose one with --loss: "
        "sparse_categorical_crossentropy)",
        request.path, request.outputs[0].name, options.classes));
  return options;
}

NamedFields open_masks(const DataRequest& request) {
  if (!request.is_for_model) {
    const ImageFolderOptions images = image_options_as_asked(request);
    return {.records = masked_images(request.path, {.images = images,
                                                    .masks = mask_options(request, images),
                                                    .announce = request.options.announce}),
            .names = {"x", "y"}};
  }
  DataRequest of_inputs = request;
  of_inputs.options.targets = false;
  const ImageFolderOptions images = image_options_for_model(of_inputs);
  if (!request.options.targets)
    return {.records = image_folder(request.path + "/images", images), .names = {"x"}};
  return {.records = masked_images(request.path, {.images = images,
                                                  .masks = mask_options(request, images),
                                                  .announce = request.options.announce}),
          .names = {"x", "y"}};
}

}  // namespace

namespace kinds {

extern constexpr DataKind masks{
    .name = "masks",
    .files = "folders of images with masks",
    .help = "a folder with the folders images and masks, for one class per pixel",
    .recognises = is_folder_with_masks,
    .takes = {DataOption::image_size},
    .are_images = true,
    .is_shuffled_to_split = true,
    .open = open_masks};

}  // namespace kinds
}  // namespace plimsoll
