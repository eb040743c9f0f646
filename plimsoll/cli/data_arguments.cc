#include "plimsoll/cli/data_arguments.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll::cli {
namespace {

bool is_table(const std::string& path) {
  return path.ends_with(".csv") || path.ends_with(".tsv") || path.ends_with(".txt");
}

// An option that has no meaning for this data would be left out silently.
void refuse_options_of_others(const DataArguments& arguments) {
  const auto refuse = [&](const char* option, const char* kind) {
    throw WrongUsage(arguments.path + ": " + option + " is for " + kind);
  };
  if (!is_table(arguments.path)) {
    if (!arguments.target.empty()) refuse("--target", ".csv files");
    if (!arguments.ignored.empty()) refuse("--ignore", ".csv files");
    if (arguments.missing) refuse("--missing", ".csv files");
  }
  if (arguments.image_size.empty() && arguments.features.empty()) return;
  const DataKind kind = find_data(arguments.path).kind;
  if (!arguments.features.empty() && kind != DataKind::tfrecord)
    refuse("--features", ".tfrecord files");
  if (!arguments.image_size.empty() && kind != DataKind::images && kind != DataKind::tar &&
      kind != DataKind::tfrecord)
    refuse("--image-size", "folders of images, .tar and .tfrecord files");
}

}  // namespace

void add_data(CLI::App& app, DataArguments& arguments) {
  app.add_option(
         "DATA", arguments.path,
         "a .npz file with arrays x and y (or one array per named input and output), a .csv "
         "file, a folder with one folder of images per class, .tfrecord or .tar files, or IDX "
         "files of images and labels; of the last three there may be several: 'train-*.tar' or A,B")
      ->required();
}

void add_data_options(CLI::App& app, DataArguments& arguments) {
  app.add_option("--target", arguments.target,
                 "for .csv files: the column to learn; predict ignores it")
      ->option_text("COLUMN");
  app.add_option("--ignore", arguments.ignored, "for .csv files: columns to ignore")
      ->option_text("A,B");
  app.add_option("--missing", arguments.missing,
                 "for .csv files: the number to use for missing values")
      ->option_text("X")
      ->check(number());
  app.add_option("--image-size", arguments.image_size,
                 "for images, if the model takes any size: height x width (convert: 256x256)")
      ->option_text("HxW");
  app.add_option("--features", arguments.features,
                 "for .tfrecord files: a JSON file that lists their features")
      ->option_text("FILE");
  app.add_option("--interpolation", arguments.interpolation,
                 "how images are resized (default: bilinear)")
      ->option_text("bilinear|nearest|area")
      ->check(CLI::IsMember({"bilinear", "nearest", "area"}));
  auto* crop = app.add_flag("--crop-to-aspect-ratio", arguments.crop,
                            "crop images of other proportions instead of stretching them");
  app.add_flag("--pad-to-aspect-ratio", arguments.pad,
               "add a border to images of other proportions instead of stretching them")
      ->excludes(crop);
  app.add_flag("--fast-decode", arguments.fast_decode,
               "decode JPEG files at a fraction of their size if that is enough; faster, but not "
               "exact");
  app.add_option("--classes", arguments.classes,
                 "a JSON file with the list of class names, such as classes.json of a run")
      ->option_text("FILE");
}

DataOptions data_options(const DataArguments& arguments, Findings& findings) {
  refuse_options_of_others(arguments);
  DataOptions options;
  options.target = split_commas(arguments.target);
  options.ignored = split_commas(arguments.ignored);
  options.missing = arguments.missing;
  options.interpolation = image_interpolation(arguments.interpolation);
  options.crop_to_aspect_ratio = arguments.crop;
  options.pad_to_aspect_ratio = arguments.pad;
  options.fast_decode = arguments.fast_decode;
  options.features = arguments.features;
  options.announce = [&findings](const Finding& finding) { findings.add(finding); };
  if (!arguments.image_size.empty()) {
    const std::vector<int64_t> size = parse_shape(arguments.image_size);
    if (size.size() != 2)
      throw WrongUsage("--image-size expects height x width, found '" + arguments.image_size + "'");
    options.image_size = {size[0], size[1]};
  }
  return options;
}

std::vector<std::string> read_classes(const std::string& path) {
  constexpr int64_t kMaxBytes = 16 << 20;
  const ByteSourcePtr file = file_source(path);
  if (file->size() > kMaxBytes) throw CorruptFile(path + ": is too large for a list of classes");
  std::string text(static_cast<size_t>(file->size()), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(text)));
  const auto json = parse_json(text, path);
  std::vector<std::string> names;
  for (const auto& item : json) {
    if (!json.is_array() || !item.is_string())
      throw CorruptFile(path + ": expected a list of class names");
    names.push_back(item.get<std::string>());
  }
  return names;
}

std::vector<std::string> classes_for(const DataArguments& arguments, const std::string& model) {
  if (!arguments.classes.empty()) return read_classes(arguments.classes);
  const auto beside = std::filesystem::path(model).parent_path() / "classes.json";
  return std::filesystem::exists(beside) ? read_classes(beside.string())
                                         : std::vector<std::string>{};
}

}  // namespace plimsoll::cli
