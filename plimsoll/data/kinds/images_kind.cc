// Folders of images, with one folder per class if there are labels.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/image_request.h"
#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

// A folder is one if most of its files are images.
bool is_never_by_itself(const DataFile&) {
  return false;
}

bool is_image_in_folder(const std::string& below) {
  return kind_by_name(below).has_value();
}

bool has_folders(const std::string& path) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error))
    if (entry.is_directory(error) && !entry.path().filename().string().starts_with("."))
      return true;
  return false;
}

// Images beside the class folders belong to no class.
void name_stray_images(const DataRequest& request) {
  if (!request.options.announce) return;
  Names stray;
  for (const auto& entry : std::filesystem::directory_iterator(request.path)) {
    const std::string name = entry.path().filename().string();
    if (kind_by_name(name) && !entry.is_directory()) stray.push_back(name);
  }
  if (stray.empty()) return;
  std::ranges::sort(stray);
  request.options.announce(
      {.severity = Finding::Severity::warning,
       .where = request.path,
       .what = fmt::format("{} image(s) beside the class folders are left out, such as {}",
                           stray.size(), stray[0])});
}

NamedFields open_images(const DataRequest& request) {
  ImageFolderOptions options =
      request.is_for_model ? image_options_for_model(request) : image_options_as_asked(request);
  if (!request.is_for_model && !has_folders(request.path)) options.label_mode = LabelMode::none;
  NamedFields fields{.records = image_folder(request.path, options), .names = {"x"}};
  if (options.label_mode == LabelMode::none) return fields;
  fields.names.emplace_back("y");
  name_stray_images(request);
  if (request.is_for_model) check_image_classes(*fields.records, request, options.label_mode);
  return fields;
}

}  // namespace

namespace kinds {

extern constexpr DataKind images{
    .name = "images",
    .files = "folders of images",
    .help = "a folder of images, with one folder per class if there are labels",
    .recognises = is_never_by_itself,
    .is_in_folder = is_image_in_folder,
    .takes = {DataOption::image_size},
    .are_images = true,
    .is_shuffled_to_split = true,
    .open = open_images};

}  // namespace kinds
}  // namespace plimsoll
