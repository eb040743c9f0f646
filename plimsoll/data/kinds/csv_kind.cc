// CSV files: a column for each input of a model by its name, or all that are not targets for the
// only one.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "plimsoll/base/flaw.h"
#include "plimsoll/data/check/table_to_check.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/table_classes.h"
#include "plimsoll/data/kinds/table_columns.h"
#include "plimsoll/data/kinds/table_encode.h"
#include "plimsoll/data/loader/bad_record_choices.h"
#include "plimsoll/data/sources/csv_cells.h"
#include "plimsoll/data/sources/csv_source.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

bool is_csv(const DataFile& file) {
  if (file.is_standard_input()) return !file.start().empty() && !file.is_json();
  return !file.is_folder && (file.path.ends_with(".csv") || file.path.ends_with(".tsv") ||
                             file.path.ends_with(".txt"));
}

// Checks that there are as many columns left as the only input takes.
void check_rest(const DataRequest& request, const Names& rest) {
  const WantedField& input = request.inputs[0];
  const Shape shape = shape_of_elements(input.spec);
  if (shape.rank() == 1 && shape[0] != kOpenSize && shape[0] != std::ssize(rest))
    throw InvalidArgument(fmt::format(
        "{}: the model's input '{}' takes {} {}, the file has {} columns for it: "
        "{} (leave some out with --ignore)",
        request.path, input.name, shape[0], input.spec.dtype == DType::string ? "texts" : "numbers",
        rest.size(), fmt::join(rest, ", ")));
}

Names field_names(const DataRequest& request) {
  if (!request.is_for_model) return request.options.target.empty() ? Names{"x"} : Names{"x", "y"};
  Names names = names_of(request.inputs);
  if (request.options.targets)
    std::ranges::copy(names_of(request.outputs), std::back_inserter(names));
  return names;
}

std::optional<bool> header_option(const DataRequest& request) {
  if (request.options.has_header || !has_schema(request)) return request.options.has_header;
  // A table that has none is known by the schema; any other header is looked at.
  return request.options.schema->has_header ? std::nullopt : std::optional(false);
}

CsvSourceOptions source_options(const DataRequest& request, const TableColumns& columns) {
  const auto& schema = request.options.schema;
  CsvSourceOptions options{.targets = columns.targets,
                           .ignored = request.options.ignored,
                           .class_names = request.options.class_names,
                           .missing = request.options.missing,
                           .keeps_bad_records = request.options.keeps_bad_records,
                           .has_header = header_option(request),
                           .announce = request.options.announce};
  for (const WantedField& input : request.inputs) options.input_dtypes.push_back(input.spec.dtype);
  if (!options.missing && has_schema(request)) options.missing = schema->missing;
  for (size_t i = 0; request.is_for_model && i < columns.targets.size(); ++i)
    options.take_classes.push_back(takes_classes(request.outputs[i].form));
  // Without `inputs` the source takes the remaining columns, and announces any without a name.
  if (!columns.are_rest || is_encoded(request)) options.inputs = columns.inputs;
  if (columns.targets.empty())
    std::ranges::copy(request.options.target, std::back_inserter(options.ignored));
  return options;
}

// A bad record ends the opening of a table unless these are kept.
template <class Open>
auto with_choices(const DataRequest& request, const Open& open) {
  try {
    return open();
  } catch (const FlawedRecord& error) {
    if (!request.is_for_model) throw;
    throw FlawedRecord(error.flaw(), error.what() + std::string(kBadRecordChoices));
  }
}

SourcePtr open_rows(const DataRequest& request, const CsvSourceOptions& options) {
  return with_choices(request, [&] { return csv_source(request.files[0], options); });
}

CsvCells open_cells(const DataRequest& request) {
  return with_choices(request, [&] {
    return CsvCells(request.files[0], {.has_header = header_option(request).value_or(true),
                                       .keeps_bad = request.options.keeps_bad_records});
  });
}

void announce_nameless(const DataRequest& request) {
  if (request.options.announce)
    request.options.announce({.where = request.path,
                              .what = "the column without a name is taken for the numbers of the "
                                      "records and left out"});
}

void check_csv_classes(const DataRequest& request, const TableColumns& columns,
                       const CsvSourceOptions& options, NamedFields& fields) {
  check_classes(request,
                {.targets = columns.targets,
                 .count =
                     [&](const std::string& column) {
                       return csv_class_counts(request, column, options.has_header);
                     },
                 .open =
                     [&](const Names& class_names) {
                       CsvSourceOptions again = options;
                       again.class_names = class_names;
                       again.announce = {};  // the first opening has said all
                       return csv_source(request.files[0], again);
                     }},
                fields);
}

NamedFields open_csv(const DataRequest& request) {
  const Names names =
      csv_columns(request.files[0], header_option(request), request.options.announce);
  TableColumns columns = choose_columns(request, names);
  TableEncodingPtr encoding;
  std::shared_ptr<const CsvSummary> summary;
  if (is_encoded(request)) {
    if (columns.are_rest && contains(names, "")) announce_nameless(request);
    const CsvCells cells = open_cells(request);
    encoding = encoding_for(request, columns, cells);
    use_encoding(request, *encoding, columns);
    summary = cells.summary();
  }
  CsvSourceOptions options = source_options(request, columns);
  options.encoding = encoding;
  options.summary = summary;
  // A column of text is refused here: that says more than how many columns there are.
  NamedFields fields{.records = open_rows(request, options), .names = field_names(request)};
  if (encoding == nullptr && columns.are_rest && request.is_for_model)
    check_rest(request, columns.inputs[0]);
  fields.encoding = encoding;
  fields.columns = columns.inputs;
  if (request.wants_targets()) check_csv_classes(request, columns, options, fields);
  fields.has_class_numbers = !fields.records->class_names().empty();
  if (request.is_for_model) fields.schema = schema_of(request, columns);
  if (request.is_for_model && encoding != nullptr) remember_encoding(*encoding, fields.schema);
  return fields;
}

DataToCheck open_csv_to_check(const DataRequest& given) {
  DataRequest request = given;
  if (is_encoded(request)) {
    request.options.keeps_bad_records = true;
    return encoded_to_check(request, open_csv(request));
  }
  return open_table_to_check(request.files[0], {.targets = request.options.target,
                                                .ignored = request.options.ignored,
                                                .class_names = request.options.class_names,
                                                .missing = request.options.missing,
                                                .has_header = request.options.has_header});
}

}  // namespace

namespace kinds {

extern constexpr DataKind csv{
    .name = "csv",
    .files = ".csv files",
    .help = "a .csv file",
    .recognises = is_csv,
    .takes = {DataOption::window, DataOption::target, DataOption::ignore, DataOption::missing,
              DataOption::encode, DataOption::header, DataOption::no_header},
    .open = open_csv,
    .open_to_check = open_csv_to_check};

}  // namespace kinds
}  // namespace plimsoll
