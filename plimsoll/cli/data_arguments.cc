#include "plimsoll/cli/data_arguments.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/data/kinds/data_kind_list.h"
#include "plimsoll/data/kinds/find_data.h"
#include "plimsoll/formats/tables/table_schema.h"

namespace plimsoll::cli {
namespace {

// An option that has no meaning for this data would be left out silently.
void refuse_options_of_others(const DataArguments& arguments, const DataOptions& options) {
  const DataKind* kind = nullptr;
  for (const DataOption option : kDataOptions) {
    if (!is_given(options, option)) continue;
    if (kind == nullptr) kind = find_data(arguments.path).kind;
    if (!kind->takes.has(option))
      throw WrongUsage(
          fmt::format("{}: {} is for {}", arguments.path, flag_of(option), kinds_taking(option)));
  }
}

// What DATA may be, of every kind a few words.
std::string data_help() {
  std::vector<std::string_view> all, several;
  for (const DataKind* kind : data_kinds()) {
    all.push_back(kind->help);
    if (kind->count.least == 1 && kind->count.most > 1) several.push_back(kind->files);
  }
  return fmt::format("{}. {} may be several: 'train-*.tar' or A,B", fmt::join(all, "; "),
                     fmt::join(several, ", "));
}

}  // namespace

void add_data(CLI::App& app, DataArguments& arguments) {
  app.add_option("DATA", arguments.path, data_help())->required();
}

void add_data_options(CLI::App& app, DataArguments& arguments) {
  app.add_option("--target", arguments.target,
                 fmt::format("for {}: the column to learn; predict ignores it",
                             kinds_taking(DataOption::target)))
      ->option_text("COLUMN");
  app.add_option("--ignore", arguments.ignored,
                 fmt::format("for {}: columns to ignore", kinds_taking(DataOption::ignore)))
      ->option_text("A,B");
  app.add_option("--missing", arguments.missing,
                 fmt::format("for {}: the number to use for missing values",
                             kinds_taking(DataOption::missing)))
      ->option_text("X")
      ->check(number());
  auto* header = app.add_flag("--header", arguments.header,
                              "for .csv files: the first line has names, though they are numbers");
  app.add_flag("--no-header", arguments.no_header,
               "for .csv files: the first line is a record; the columns are c0, c1, ...")
      ->excludes(header);
  app.add_option("--image-size", arguments.image_size,
                 "for images, if the model takes any size: height x width (convert: 256x256)")
      ->option_text("HxW");
  app.add_option("--features", arguments.features,
                 fmt::format("for {}: a JSON file that lists their features",
                             kinds_taking(DataOption::features)))
      ->option_text("FILE");
  auto* window = app.add_option("--window", arguments.window,
                                fmt::format("for {} that are a series: rows per record, in order",
                                            kinds_taking(DataOption::window)))
                     ->option_text("N")
                     ->check(count());
  app.add_option("--horizon", arguments.horizon,
                 "with --window: the target is this many rows after the window (default: 1)")
      ->option_text("N")
      ->check(count())
      ->needs(window);
  app.add_option("--stride", arguments.stride,
                 "with --window: rows from one window to the next (default: 1)")
      ->option_text("N")
      ->check(count())
      ->needs(window);
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

void add_encode(CLI::App& app, DataArguments& arguments) {
  app.add_option("--encode", arguments.encode,
                 fmt::format("for {}: make numbers of text, dates, yes and no, percentages and the "
                             "like; auto, or a JSON file that says how for some columns",
                             kinds_taking(DataOption::encode)))
      ->option_text("auto|FILE");
}

DataOptions data_options(const DataArguments& arguments, Findings& findings) {
  DataOptions options;
  options.target = split_commas(arguments.target);
  options.ignored = split_commas(arguments.ignored);
  options.missing = arguments.missing;
  options.encode = arguments.encode;
  if (arguments.header || arguments.no_header) options.has_header = arguments.header;
  options.interpolation = image_interpolation(arguments.interpolation);
  options.crop_to_aspect_ratio = arguments.crop;
  options.pad_to_aspect_ratio = arguments.pad;
  options.fast_decode = arguments.fast_decode;
  options.features = arguments.features;
  options.array = arguments.array;
  options.window = arguments.window;
  options.horizon = arguments.horizon;
  options.stride = arguments.stride;
  options.announce = [&findings](const Finding& finding) { findings.add(finding); };
  if (!arguments.image_size.empty()) {
    const std::vector<int64_t> size = parse_shape(arguments.image_size);
    if (size.size() != 2)
      throw WrongUsage("--image-size expects height x width, found '" + arguments.image_size + "'");
    options.image_size = {size[0], size[1]};
  }
  refuse_options_of_others(arguments, options);
  return options;
}

std::vector<std::string> classes_for(const DataArguments& arguments, const std::string& model) {
  if (!arguments.classes.empty()) return read_classes(arguments.classes);
  return classes_beside(model);
}

DataOptions data_options_for(const std::string& model, const DataArguments& arguments,
                             Findings& findings) {
  DataOptions options = data_options(arguments, findings);
  options.class_names = classes_for(arguments, model);
  options.schema = schema_beside(model);
  return options;
}

}  // namespace plimsoll::cli
