#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/tar_field.h"
#include "plimsoll/data/sources/tar_record.h"
#include "plimsoll/data/sources/tar_source.h"
#include "plimsoll/formats/archives/tar.h"
#include "plimsoll/train/data/open_shards.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

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

class TarOpener {
 public:
  TarOpener(const Names& paths, const ModelFit& fit)
      : fit_(fit), paths_(paths), found_(first_extensions(paths[0])) {}

  Dataset open() {
    for (const Port& port : fit_.inputs()) add_input(port);
    if (fit_.options().targets)
      for (const Port& port : fit_.outputs()) add_target(port);
    SourcePtr records = tar_source(paths_, options_);
    if (fit_.options().targets && fit_.outputs().size() == 1)
      records = fit_.with_labels_for_loss(records, static_cast<int>(fit_.inputs().size()));
    return Dataset(records);
  }

 private:
  [[noreturn]] void refuse(const Port& port, const char* what, const std::string& expected) const {
    throw InvalidArgument(fit_.path() + ": expected a file for the " + what + " '" + port.name +
                          "' of the model in each record, " + expected + "; the first record has " +
                          (found_.empty() ? "none" : listed(found_)));
  }

  // "left.npy" is of the port "left".
  std::string named_as(const Port& port) const {
    for (const std::string& extension : found_)
      if (extension.starts_with(port.name + ".")) return extension;
    return {};
  }

  void add_input(const Port& port) {
    std::string extension = named_as(port);
    if (extension.empty() && fit_.inputs().size() == 1) {
      if (std::ranges::any_of(found_, is_image_extension))
        extension = "image";
      else if (std::ranges::find(found_, "npy") != found_.end())
        extension = "npy";
    }
    if (extension.empty()) refuse(port, "input", "an image, .npy, or ." + port.name + ".npy");
    options_.fields.push_back(extension);
    if (extension.ends_with("npy")) return;
    options_.image_size = fit_.image_size_for(port);
    options_.color_mode = fit_.color_mode_for(port);
  }

  void add_target(const Port& port) {
    std::string extension = named_as(port);
    if (extension.empty() && fit_.outputs().size() == 1 &&
        std::ranges::find(found_, "cls") != found_.end())
      extension = "cls";
    if (extension.empty()) refuse(port, "output", ".cls, or ." + port.name + ".npy");
    options_.fields.push_back(extension);
  }

  const ModelFit& fit_;
  const Names& paths_;
  Names found_;
  TarSourceOptions options_{.fields = {}};
};

}  // namespace

Dataset open_tars(const Names& paths, const ModelFit& fit) {
  return TarOpener(paths, fit).open();
}

}  // namespace plimsoll
