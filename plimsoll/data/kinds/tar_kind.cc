// Tar archives in WebDataset's naming: the images, or arrays, and the classes of each record.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/sources/tar_field.h"
#include "plimsoll/data/sources/tar_record.h"
#include "plimsoll/data/sources/tar_source.h"
#include "plimsoll/formats/archives/tar.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

// "a.tar.gz" is one, too, and refused when it is opened; "a.tar.png" is an image.
bool is_tar(const DataFile& file) {
  const std::string name = file.name();
  return !file.is_folder && !kind_by_name(name) &&
         (name.ends_with(".tar") || name.find(".tar.") != name.npos || name.ends_with(".tgz"));
}

bool is_tar_in_folder(const std::string& below) {
  return below.find('/') == below.npos && is_tar({below});
}

// What the files of the first record end with.
Names first_extensions(const std::string& path) {
  const ByteSourcePtr archive = file_source(path);
  TarReader reader(*archive);
  Names extensions;
  std::string key;
  while (reader.next()) {
    const WebDatasetName name = webdataset_name(reader.member().name);
    if (name.key.empty()) continue;
    if (key.empty()) key = name.key;
    if (name.key != key) break;
    extensions.push_back(name.extension);
  }
  return extensions;
}

class TarChooser {
 public:
  explicit TarChooser(const DataRequest& request)
      : request_(request), found_(first_extensions(request.files[0])) {}

  NamedFields open() {
    for (const WantedField& input : request_.inputs) add_input(input);
    if (request_.options.targets)
      for (const WantedField& output : request_.outputs) add_target(output);
    return {.records = tar_source(request_.files, options_),
            .names = options_.fields,
            .has_class_numbers = true};
  }

 private:
  [[noreturn]] void refuse(const WantedField& port, const char* what,
                           const std::string& expected) const {
    throw InvalidArgument(
        fmt::format("{}: expected a file for the {} '{}' of the model in each record, {}; the "
                    "first record has {}",
                    request_.path, what, port.name, expected,
                    found_.empty() ? "none" : fmt::format("{}", fmt::join(found_, ", "))));
  }

  // "left.npy" is of the port "left".
  std::string named_as(const WantedField& port) const {
    for (const std::string& extension : found_)
      if (extension.starts_with(port.name + ".")) return extension;
    return {};
  }

  void add_input(const WantedField& input) {
    std::string extension = named_as(input);
    if (extension.empty() && request_.inputs.size() == 1) {
      if (std::ranges::any_of(found_, is_image_extension))
        extension = "image";
      else if (contains(found_, "npy"))
        extension = "npy";
    }
    if (extension.empty()) refuse(input, "input", "an image, .npy, or ." + input.name + ".npy");
    options_.fields.push_back(extension);
    if (extension.ends_with("npy")) return;
    options_.image_size = image_size_for(request_, input);
    options_.color_mode = color_mode_for(request_, input);
  }

  void add_target(const WantedField& output) {
    std::string extension = named_as(output);
    if (extension.empty() && request_.outputs.size() == 1 && contains(found_, "cls"))
      extension = "cls";
    if (extension.empty()) refuse(output, "output", ".cls, or ." + output.name + ".npy");
    options_.fields.push_back(extension);
  }

  const DataRequest& request_;
  Names found_;
  TarSourceOptions options_{.fields = {}};
};

NamedFields open_tars(const DataRequest& request) {
  if (request.is_for_model) return TarChooser(request).open();
  const TarSourceOptions options{.image_size = image_size_as_asked(request)};
  return {.records = tar_source(request.files, options), .names = {"x", "y"}};
}

}  // namespace

namespace kinds {

extern constexpr DataKind tar{.name = "tar",
                              .files = ".tar files",
                              .help = ".tar files",
                              .recognises = is_tar,
                              .count = kAnyFiles,
                              .is_in_folder = is_tar_in_folder,
                              .are_files_of_folder = true,
                              .takes = {DataOption::image_size},
                              .open = open_tars};

}  // namespace kinds
}  // namespace plimsoll
