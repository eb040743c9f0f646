#include "plimsoll/data/kinds/image_request.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

ImageFolderOptions image_options(const DataOptions& options) {
  return {.class_names = options.class_names,
          .interpolation = options.interpolation,
          .crop_to_aspect_ratio = options.crop_to_aspect_ratio,
          .pad_to_aspect_ratio = options.pad_to_aspect_ratio,
          .fast_decode = options.fast_decode};
}

}  // namespace

LabelMode label_mode_for(const DataRequest& request) {
  if (!request.options.targets) return LabelMode::none;
  if (request.outputs.size() != 1)
    throw InvalidArgument(
        fmt::format("{}: class folders are the labels of one output, the model has {}",
                    request.path, fmt::join(names_of(request.outputs), ", ")));
  if (request.only_form() == TargetForm::class_numbers) return LabelMode::integer;
  return request.outputs[0].spec.shape.back() == 1 ? LabelMode::binary : LabelMode::categorical;
}

ImageFolderOptions image_options_as_asked(const DataRequest& request) {
  ImageFolderOptions options = image_options(request.options);
  options.image_size = image_size_as_asked(request);
  return options;
}

ImageFolderOptions image_options_for_model(const DataRequest& request) {
  if (request.inputs.size() != 1 || request.inputs[0].spec.shape.rank() != 3)
    throw InvalidArgument(
        fmt::format("{}: images need a model with one input of shape (height, width, channels), "
                    "found {}",
                    request.path, shape_text(request.inputs[0].spec.shape)));
  ImageFolderOptions options = image_options(request.options);
  options.color_mode = color_mode_for(request, request.inputs[0]);
  options.image_size = image_size_for(request, request.inputs[0]);
  options.label_mode = label_mode_for(request);
  return options;
}

// There must be as many classes as the output has numbers; a single number separates two classes.
// Labels that are numbers may leave the last classes empty.
void check_image_classes(const Source& images, const DataRequest& request, LabelMode mode) {
  if (mode == LabelMode::none) return;
  const auto found = std::ssize(images.class_names());
  const WantedField& output = request.outputs[0];
  const int64_t expected = output.spec.shape.back();
  if (expected == kOpenSize || expected == 1 || expected == found) return;
  const std::string what =
      fmt::format("the model's output '{}' has {} classes, the folders have {}: {}", output.name,
                  expected, found, fmt::join(images.class_names(), ", "));
  if (found > expected || mode != LabelMode::integer)
    throw InvalidArgument(fmt::format("{}: {}", request.path, what));
  if (request.options.announce)
    request.options.announce(
        {.severity = Finding::Severity::warning, .where = request.path, .what = what});
}

}  // namespace plimsoll
