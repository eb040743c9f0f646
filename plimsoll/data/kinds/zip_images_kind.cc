// Zip archives of images, with one folder per class if there are labels.
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/image_request.h"
#include "plimsoll/data/sources/zip_images.h"
#include "plimsoll/formats/archives/zip_archive.h"

namespace plimsoll {
namespace {

bool is_zip_of_images(const DataFile& file) {
  return file.start().starts_with("PK") && !file.path.ends_with(".xlsx") &&
         has_images_only(file.path);
}

// True if some image is in a folder, which is a class then.
bool has_class_folders(const std::string& path) {
  try {
    return !zip_images(path)->class_names().empty();
  } catch (const InvalidArgument&) {
    return false;
  }
}

NamedFields open_zip_of_images(const DataRequest& request) {
  ImageFolderOptions options =
      request.is_for_model ? image_options_for_model(request) : image_options_as_asked(request);
  const std::string& path = request.files[0];
  if (!request.is_for_model && !has_class_folders(path)) options.label_mode = LabelMode::none;
  NamedFields fields{.records = zip_images(path, options), .names = {"x"}};
  if (options.label_mode == LabelMode::none) return fields;
  fields.names.emplace_back("y");
  if (request.is_for_model) check_image_classes(*fields.records, request, options.label_mode);
  return fields;
}

}  // namespace

namespace kinds {

extern constexpr DataKind zip_images{
    .name = "zip_images",
    .files = ".zip files of images",
    .help = "a .zip file of images, with one folder per class if there are labels",
    .recognises = is_zip_of_images,
    .takes = {DataOption::image_size},
    .are_images = true,
    .open = open_zip_of_images};

}  // namespace kinds
}  // namespace plimsoll
