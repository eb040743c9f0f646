// Single images, to predict: photo.jpg, or several by a pattern or separated by commas.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/image_request.h"
#include "plimsoll/data/sources/labelled_images.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

bool is_image_file(const DataFile& file) {
  return !file.is_folder && kind_by_name(file.path).has_value();
}

NamedFields open_image_files(const DataRequest& request) {
  if (request.wants_targets())
    throw InvalidArgument(
        fmt::format("{}: is an image without its class; give a folder with one folder of images "
                    "per class",
                    request.path));
  ImageFolderOptions options =
      request.is_for_model ? image_options_for_model(request) : image_options_as_asked(request);
  options.label_mode = LabelMode::none;
  ImageSet set;
  for (const std::string& file : request.files) {
    file_source(file);  // an error now, if there is none
    set.index.files.add(file);
  }
  return {.records = labelled_images(std::move(set), options), .names = {"x"}};
}

}  // namespace

namespace kinds {

extern constexpr DataKind image_files{.name = "image_files",
                                      .files = "single images",
                                      .help = "an image, to predict",
                                      .recognises = is_image_file,
                                      .count = kAnyFiles,
                                      .takes = {DataOption::image_size},
                                      .are_images = true,
                                      .open = open_image_files};

}  // namespace kinds
}  // namespace plimsoll
