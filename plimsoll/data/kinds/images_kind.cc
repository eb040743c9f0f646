// Folders of images, with one folder per class if there are labels.
#include <fmt/format.h>

#include <filesystem>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/sources/image_folder.h"

namespace plimsoll {
namespace {

bool is_image_folder(const DataFile& file) {
  return file.is_folder;
}

bool has_folders(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (entry.is_directory() && !entry.path().filename().string().starts_with(".")) return true;
  return false;
}

ImageFolderOptions options_of(const DataOptions& options) {
  return {.class_names = options.class_names,
          .interpolation = options.interpolation,
          .crop_to_aspect_ratio = options.crop_to_aspect_ratio,
          .pad_to_aspect_ratio = options.pad_to_aspect_ratio,
          .fast_decode = options.fast_decode};
}

NamedFields open_folder_as_it_is(const DataRequest& request) {
  ImageFolderOptions options = options_of(request.options);
  options.image_size = image_size_as_asked(request);
  const bool has_labels = has_folders(request.path);
  if (!has_labels) options.label_mode = LabelMode::none;
  return {.records = image_folder(request.path, options),
          .names = has_labels ? Names{"x", "y"} : Names{"x"}};
}

LabelMode label_mode_for(const DataRequest& request) {
  if (!request.options.targets) return LabelMode::none;
  if (request.outputs.size() != 1)
    throw InvalidArgument(
        fmt::format("{}: class folders are the labels of one output, the model has {}",
                    request.path, fmt::join(names_of(request.outputs), ", ")));
  if (request.only_form() == TargetForm::class_numbers) return LabelMode::integer;
  return request.outputs[0].spec.shape.back() == 1 ? LabelMode::binary : LabelMode::categorical;
}

// There must be as many classes as the output has numbers; a single number separates two classes.
// Labels that are numbers may leave the last classes empty.
void check_classes(const Source& source, const DataRequest& request, LabelMode mode) {
  const auto found = std::ssize(source.class_names());
  const WantedField& output = request.outputs[0];
  const int64_t expected = output.spec.shape.back();
  if (expected == kOpenSize || expected == 1 || expected == found) return;
  const std::string what =
      fmt::format("the model's output '{}' has {} classes, the folder has {}: {}", output.name,
                  expected, found, fmt::join(source.class_names(), ", "));
  if (found > expected || mode != LabelMode::integer)
    throw InvalidArgument(fmt::format("{}: {}", request.path, what));
  if (request.options.announce)
    request.options.announce(
        {.severity = Finding::Severity::warning, .where = request.path, .what = what});
}

NamedFields open_images(const DataRequest& request) {
  if (!request.is_for_model) return open_folder_as_it_is(request);
  if (request.inputs.size() != 1 || request.inputs[0].spec.shape.rank() != 3)
    throw InvalidArgument(
        fmt::format("{}: a folder of images needs a model with one input of shape (height, width, "
                    "channels), found {}",
                    request.path, shape_text(request.inputs[0].spec.shape)));
  ImageFolderOptions options = options_of(request.options);
  options.color_mode = color_mode_for(request, request.inputs[0]);
  options.image_size = image_size_for(request, request.inputs[0]);
  options.label_mode = label_mode_for(request);
  NamedFields fields{.records = image_folder(request.path, options), .names = {"x"}};
  if (options.label_mode == LabelMode::none) return fields;
  fields.names.emplace_back("y");
  check_classes(*fields.records, request, options.label_mode);
  return fields;
}

}  // namespace

namespace kinds {

extern constexpr DataKind images{
    .name = "images",
    .files = "folders of images",
    .help = "a folder of images, with one folder per class if there are labels",
    .recognises = is_image_folder,
    .takes = {DataOption::image_size},
    .are_images = true,
    .open = open_images};

}  // namespace kinds
}  // namespace plimsoll
