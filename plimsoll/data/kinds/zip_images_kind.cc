// Zip archives of images, with one folder per class if there are labels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <span>

#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/image_request.h"
#include "plimsoll/data/sources/zip_images.h"
#include "plimsoll/formats/archives/zip_archive.h"
#include "plimsoll/formats/images/image_header.h"

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

// What an archive holds and is not read.
struct LeftOut {
  int64_t images =
      0;  // of all that it holds; those that are no record are beside the class folders
  std::string outermost;  // the first image of the least depth
  std::vector<std::string> others;
};

LeftOut left_out_of(const std::string& path) {
  LeftOut found;
  const ZipArchive archive(path);
  std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::max();
  for (const ZipEntry& entry : archive.entries()) {
    const std::string_view name = entry.name;
    if (name.ends_with('/') || name.starts_with("__MACOSX/")) continue;
    if (!kind_by_name(entry.name)) {
      if (!name.substr(name.rfind('/') + 1).starts_with('.')) found.others.emplace_back(name);
      continue;
    }
    ++found.images;
    const std::ptrdiff_t depth = std::ranges::count(name, '/');
    if (depth < least) found.outermost = name;
    least = std::min(least, depth);
  }
  return found;
}

// As a folder's: images of no class are worth a warning.
void name_left_out(const DataRequest& request, const Source& records) {
  if (!request.options.announce || !request.options.class_names.empty()) return;
  const LeftOut found = left_out_of(request.files[0]);
  if (const int64_t stray = found.images - records.size(); stray > 0)
    request.options.announce(
        {.severity = Finding::Severity::warning,
         .where = request.path,
         .what = fmt::format("{} image(s) beside the class folders are left out, such as {}", stray,
                             found.outermost)});
  constexpr size_t kShown = 5;
  const std::span shown = std::span(found.others).first(std::min(kShown, found.others.size()));
  if (!shown.empty())
    request.options.announce(
        {.where = request.path,
         .what = fmt::format("{} file(s) in it that are no images are left out: {}{}",
                             found.others.size(), fmt::join(shown, ", "),
                             found.others.size() > kShown ? ", …" : "")});
}

NamedFields open_zip_of_images(const DataRequest& request) {
  ImageFolderOptions options =
      request.is_for_model ? image_options_for_model(request) : image_options_as_asked(request);
  const std::string& path = request.files[0];
  if (!request.is_for_model && !has_class_folders(path)) options.label_mode = LabelMode::none;
  NamedFields fields{.records = zip_images(path, options), .names = {"x"}};
  if (options.label_mode == LabelMode::none) return fields;
  fields.names.emplace_back("y");
  name_left_out(request, *fields.records);
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
    .is_shuffled_to_split = true,
    .open = open_zip_of_images};

}  // namespace kinds
}  // namespace plimsoll
