// CSV files: a column for each input of a model by its name, or all that are not targets for the
// only one.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/check/table_to_check.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/table_columns.h"
#include "plimsoll/data/sources/csv_source.h"
#include "plimsoll/formats/tables/csv_reader.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

bool is_csv(const DataFile& file) {
  if (file.is_standard_input()) return !file.start().empty() && !file.is_json();
  return !file.is_folder && (file.path.ends_with(".csv") || file.path.ends_with(".tsv") ||
                             file.path.ends_with(".txt"));
}

// The names in the header.
Names columns_of(const std::string& path) {
  CsvReader reader(file_source(path));
  Names columns;
  if (!reader.next()) throw CorruptFile(path + ": is empty, expected a line of names");
  for (int64_t i = 0; i < reader.fields(); ++i) columns.emplace_back(reader.field(i));
  return columns;
}

// Checks that there are as many columns left as the only input takes.
void check_rest(const DataRequest& request, const Names& rest) {
  const WantedField& input = request.inputs[0];
  const Shape shape = shape_of_elements(input.spec);
  if (shape.rank() == 1 && shape[0] != kOpenSize && shape[0] != std::ssize(rest))
    throw InvalidArgument(fmt::format(
        "{}: the model's input '{}' takes {} {}, the file has {} columns for it: "
        "{} (leave some out with --ignore)",
        request.path, input.name, shape[0], input.spec.dtype == kString ? "texts" : "numbers",
        rest.size(), fmt::join(rest, ", ")));
}

Names field_names(const DataRequest& request) {
  if (!request.is_for_model) return request.options.target.empty() ? Names{"x"} : Names{"x", "y"};
  Names names = names_of(request.inputs);
  if (request.options.targets)
    std::ranges::copy(names_of(request.outputs), std::back_inserter(names));
  return names;
}

NamedFields open_csv(const DataRequest& request) {
  const TableColumns columns = choose_columns(request, columns_of(request.files[0]));
  if (columns.are_rest && request.is_for_model) check_rest(request, columns.inputs[0]);
  CsvSourceOptions options{.targets = columns.targets,
                           .ignored = request.options.ignored,
                           .class_names = request.options.class_names,
                           .missing = request.options.missing,
                           .announce = request.options.announce};
  for (const WantedField& input : request.inputs) options.input_dtypes.push_back(input.spec.dtype);
  // Without `inputs` the source takes the remaining columns, and announces any without a name.
  if (!columns.are_rest) options.inputs = columns.inputs;
  if (columns.targets.empty())
    std::ranges::copy(request.options.target, std::back_inserter(options.ignored));
  const SourcePtr records = csv_source(request.files[0], options);
  return {.records = records,
          .names = field_names(request),
          .has_class_numbers = !records->class_names().empty()};
}

// The columns that are not used, if each input of the model is a column.
Names unused_columns(const DataRequest& request) {
  const Names columns = columns_of(request.files[0]), inputs = names_of(request.inputs);
  if (!has_all_inputs(request, columns)) return {};
  Names unused;
  for (const std::string& column : columns)
    if (!contains(inputs, column) && !contains(request.options.target, column))
      unused.push_back(column);
  return unused;
}

bool has_text_input(const DataRequest& request) {
  return std::ranges::any_of(
      request.inputs, [](const WantedField& input) { return input.spec.dtype == kString; });
}

DataToCheck open_csv_to_check(const DataRequest& request) {
  TableToCheckOptions options{.targets = request.options.target,
                              .ignored = request.options.ignored,
                              .class_names = request.options.class_names,
                              .missing = request.options.missing};
  if (request.is_for_model) {
    if (request.options.target.empty()) refuse_without_target(request);
    Names unused = unused_columns(request);
    if (has_text_input(request)) {  // texts are as they are; there is nothing to look for in them
      const TableColumns columns = choose_columns(request, columns_of(request.files[0]));
      for (size_t i = 0; i < request.inputs.size(); ++i)
        if (request.inputs[i].spec.dtype == kString)
          unused.insert(unused.end(), columns.inputs[i].begin(), columns.inputs[i].end());
    }
    options.ignored.insert(options.ignored.end(), unused.begin(), unused.end());
  }
  return open_table_to_check(request.files[0], options);
}

}  // namespace

namespace kinds {

extern constexpr DataKind csv{
    .name = "csv",
    .files = ".csv files",
    .help = "a .csv file",
    .recognises = is_csv,
    .takes = {DataOption::window, DataOption::target, DataOption::ignore, DataOption::missing},
    .open = open_csv,
    .open_to_check = open_csv_to_check};

}  // namespace kinds
}  // namespace plimsoll
