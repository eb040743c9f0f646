// CSV files that name image files. For a model that takes no images they are tables like any other.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/image_request.h"
#include "plimsoll/data/kinds/table_columns.h"
#include "plimsoll/data/sources/image_table.h"

namespace plimsoll {
namespace kinds {

extern const DataKind csv;

}  // namespace kinds

namespace {

bool is_image_table(const DataFile& file) {
  if (file.is_standard_input() || !kinds::csv.recognises(file)) return false;
  try {
    return image_column(file.path).has_value();
  } catch (const CorruptFile&) {
    return false;  // the error of a table says more
  }
}

// The column of the images; none where the rest of the table is wanted.
std::optional<std::string> column_for(const DataRequest& request) {
  const auto column = image_column(request.files[0]);
  if (!column || contains(request.options.ignored, *column) || request.options.window)
    return std::nullopt;
  const bool takes_images = !request.is_for_model || (request.inputs.size() == 1 &&
                                                      request.inputs[0].spec.shape.rank() == 3);
  return takes_images ? column : std::nullopt;
}

// One target per output; without a model, all columns that are named.
std::vector<Names> targets_of(const DataRequest& request) {
  const Names& target = request.options.target;
  if (!request.options.targets || (target.empty() && !request.is_for_model)) return {};
  if (target.empty()) refuse_without_target(request);
  if (!request.is_for_model || request.outputs.size() == 1) return {target};
  std::vector<Names> targets;
  for (const std::string& column : target) targets.push_back({column});
  return targets;
}

NamedFields open_image_table(const DataRequest& request) {
  const auto column = column_for(request);
  if (!column) {
    NamedFields fields = kinds::csv.open(request);
    fields.are_images = false;
    return fields;
  }
  DataRequest of_inputs = request;
  of_inputs.options.targets = false;
  const ImageFolderOptions images =
      request.is_for_model ? image_options_for_model(of_inputs) : image_options_as_asked(request);
  if (request.options.announce)
    request.options.announce(
        {.where = request.path,
         .what =
             fmt::format("column '{}' names the images; other columns are not inputs", *column)});
  const std::vector<Names> targets = targets_of(request);
  CsvSourceOptions of_targets{.targets = targets,
                              .class_names = request.options.class_names,
                              .missing = request.options.missing,
                              .keeps_bad_records = request.options.keeps_bad_records};
  for (size_t i = 0; request.is_for_model && i < targets.size(); ++i)
    of_targets.take_classes.push_back(takes_classes(request.outputs[i].form));
  NamedFields fields{.records = image_table(request.files[0], *column, images, of_targets),
                     .names = targets.empty() ? Names{"x"} : Names{"x", "y"}};
  fields.has_class_numbers = !targets.empty();
  return fields;
}

DataToCheck open_image_table_to_check(const DataRequest& request) {
  return column_for(request) ? DataToCheck{} : kinds::csv.open_to_check(request);
}

}  // namespace

namespace kinds {

extern constexpr DataKind image_table{
    .name = "image_table",
    .files = ".csv files that name images",
    .help = "a .csv file with a column of image files",
    .recognises = is_image_table,
    .takes = {DataOption::target, DataOption::ignore, DataOption::missing, DataOption::image_size,
              DataOption::window},
    .are_images = true,
    .open = open_image_table,
    .open_to_check = open_image_table_to_check};

}  // namespace kinds
}  // namespace plimsoll
