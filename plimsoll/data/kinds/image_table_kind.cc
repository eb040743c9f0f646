// CSV files that name image files. For a model that takes no images they are tables like any other.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/image_request.h"
#include "plimsoll/data/kinds/table_classes.h"
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

// One target per output; without a model, all columns that are named. A trained model knows its
// own.
std::vector<Names> targets_of(const DataRequest& request) {
  const Names& target = request.options.target;
  if (!request.options.targets || (target.empty() && !request.is_for_model)) return {};
  if (const auto& schema = request.options.schema;
      target.empty() && schema && !schema->targets.empty()) {
    std::vector<Names> targets;
    for (const TableSchema::Field& field : schema->targets) targets.push_back(field.columns);
    return targets;
  }
  if (target.empty()) refuse_without_target(request);
  if (!request.is_for_model || request.outputs.size() == 1) return {target};
  std::vector<Names> targets;
  for (const std::string& column : target) targets.push_back({column});
  return targets;
}

// The images are the inputs, so there is nothing to make numbers of, and paths need the name of
// their column.
void refuse_table_options(const DataRequest& request, const std::string& column) {
  for (const DataOption option : {DataOption::encode, DataOption::no_header})
    if (is_given(request.options, option))
      throw InvalidArgument(fmt::format(
          "{}: {} is for tables of numbers and texts, but column '{}' names images, which are the "
          "inputs (--ignore '{}' reads the table without them)",
          request.path, flag_of(option), column, column));
}

CsvSourceOptions target_options(const DataRequest& request, const std::vector<Names>& targets) {
  CsvSourceOptions options{.targets = targets,
                           .class_names = request.options.class_names,
                           .missing = request.options.missing,
                           .keeps_bad_records = request.options.keeps_bad_records,
                           .has_header = request.options.has_header};
  for (size_t i = 0; request.is_for_model && i < targets.size(); ++i)
    options.take_classes.push_back(takes_classes(request.outputs[i].form));
  return options;
}

// The name of an input is kept without a column: images are found by their names in any column.
void remember_targets(const DataRequest& request, const std::vector<Names>& targets,
                      TableSchema& schema) {
  if (request.options.schema) schema = *request.options.schema;
  if (targets.empty()) return;
  schema.inputs = {{.name = request.inputs[0].name}};
  schema.targets.clear();
  for (size_t i = 0; i < targets.size(); ++i)
    schema.targets.push_back({.name = request.outputs[i].name, .columns = targets[i]});
}

NamedFields open_images(const DataRequest& request, const std::string& column) {
  const std::vector<Names> targets = targets_of(request);
  DataRequest of_inputs = request;
  of_inputs.options.targets = false;
  const ImageFolderOptions images =
      request.is_for_model ? image_options_for_model(of_inputs) : image_options_as_asked(request);
  const auto open = [&](const CsvSourceOptions& of_targets) {
    return image_table(request.files[0], column, images, of_targets);
  };
  const CsvSourceOptions of_targets = target_options(request, targets);
  NamedFields fields{.records = open(of_targets),
                     .names = targets.empty() ? Names{"x"} : Names{"x", "y"}};
  fields.has_class_numbers = !targets.empty();
  if (request.wants_targets())
    check_classes(
        request,
        {.targets = targets,
         .count = [&](const std::string& of) { return csv_class_counts(request, of, {}); },
         .open =
             [&](const Names& class_names) {
               CsvSourceOptions again = of_targets;
               again.class_names = class_names;
               return open(again);
             }},
        fields);
  if (request.is_for_model) remember_targets(request, targets, fields.schema);
  return fields;
}

NamedFields open_image_table(const DataRequest& request) {
  const auto column = column_for(request);
  if (!column) {
    NamedFields fields = kinds::csv.open(request);
    fields.are_images = false;
    fields.is_shuffled_to_split = false;
    return fields;
  }
  refuse_table_options(request, *column);
  if (request.options.announce)
    request.options.announce(
        {.where = request.path,
         .what =
             fmt::format("column '{}' names the images; other columns are not inputs", *column)});
  return open_images(request, *column);
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
    .takes = {DataOption::target, DataOption::ignore, DataOption::missing, DataOption::encode,
              DataOption::header, DataOption::no_header, DataOption::image_size,
              DataOption::window},
    .are_images = true,
    .is_shuffled_to_split = true,
    .open = open_image_table,
    .open_to_check = open_image_table_to_check};

}  // namespace kinds
}  // namespace plimsoll
