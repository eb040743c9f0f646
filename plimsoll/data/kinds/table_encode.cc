#include "plimsoll/data/kinds/table_encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "plimsoll/base/error.h"
#include "plimsoll/data/encode/new_cells.h"
#include "plimsoll/data/sources/table_learning.h"

namespace plimsoll {
namespace {

constexpr std::string_view kAuto = "auto";

// An input that takes words or whole numbers takes its columns as they are.
bool takes_encoded(const DataRequest& request, size_t input) {
  return !request.is_for_model || request.inputs[input].spec.dtype == DType::float32;
}

TableLearningOptions learning_options(const DataRequest& request, const TableColumns& columns) {
  TableLearningOptions options{.records = request.options.encoding_records,
                               .announce = request.options.announce};
  if (request.options.encode != kAuto) options.file = request.options.encode;
  for (size_t i = 0; i < columns.inputs.size(); ++i)
    if (takes_encoded(request, i))
      std::ranges::copy(columns.inputs[i], std::back_inserter(options.inputs));
  for (const Names& target : columns.targets)
    std::ranges::copy(target, std::back_inserter(options.targets));
  // A column that is both, as in a window, is not scaled.
  std::erase_if(options.inputs,
                [&](const std::string& name) { return contains(options.targets, name); });
  return options;
}

bool has_saved_encoding(const DataRequest& request) {
  return has_schema(request) && !request.options.schema->encode.empty();
}

void refuse_another_encoding(const DataRequest& request) {
  const std::string& asked = request.options.encode;
  if (request.options.missing && std::isfinite(*request.options.missing))
    throw InvalidArgument(fmt::format(
        "{}: --missing is for tables without --encode, which fills gaps by itself", request.path));
  if (asked.empty() || !has_schema(request)) return;
  if (request.options.schema->encode.empty())
    throw InvalidArgument(
        fmt::format("{}: the model was trained on such a table without --encode, which would make "
                    "other numbers of its columns (leave it out, or begin with a new model)",
                    request.path));
  if (asked != kAuto)
    throw InvalidArgument(
        fmt::format("{}: the model was trained with an encoding, which is in data.json beside it; "
                    "{} would make other numbers of the columns (leave --encode out)",
                    request.path, asked));
}

void check_width(const DataRequest& request, const WantedField& input,
                 const TableEncoding& encoding, const Names& columns) {
  const Shape& shape = input.spec.shape;
  const int64_t width = encoding.width(columns);
  if (shape.rank() != 1 || shape[0] == kOpenSize || shape[0] == width) return;
  throw InvalidArgument(fmt::format(
      "{}: the model's input '{}' takes {} number{}, the table gives {}: {}", request.path,
      input.name, shape[0], shape[0] == 1 ? "" : "s", width, encoding.widths_text(columns)));
}

}  // namespace

bool is_encoded(const DataRequest& request) {
  return !request.options.encode.empty() || request.options.encoding != nullptr ||
         has_saved_encoding(request);
}

TableEncodingPtr encoding_for(const DataRequest& request, const TableColumns& columns,
                              const TableCells& cells) {
  refuse_another_encoding(request);
  if (request.options.encoding != nullptr) return request.options.encoding;
  if (has_saved_encoding(request))
    return std::make_shared<TableEncoding>(
        TableEncoding::from_json(request.options.schema->encode, "data.json: encode"));
  return learn_table(cells, learning_options(request, columns));
}

void announce_new_cells(const DataRequest& request, const TableColumns& columns,
                        const TableEncoding& encoding, const TableCells& cells) {
  if (!request.options.announce) return;
  Names names = learning_options(request, columns).inputs;
  std::erase_if(names, [&](const std::string& name) { return encoding.find(name) == nullptr; });
  std::vector<ColumnEncodingPtr> encodings;
  std::vector<NewCells> found;
  for (const std::string& name : names) {
    encodings.push_back(encoding.find(name));
    found.emplace_back(name);
  }
  std::vector<float> numbers;
  cells.visit(names, {}, [&](std::span<const std::string_view> row) {
    for (size_t i = 0; i < row.size(); ++i) {
      numbers.resize(static_cast<size_t>(encodings[i]->width()));
      found[i].add(encodings[i]->encode(row[i], numbers), encodings[i]->gaps(), row[i]);
    }
    return true;
  });
  for (const NewCells& column : found) column.announce(request.path, request.options.announce);
}

void use_encoding(const DataRequest& request, const TableEncoding& encoding,
                  TableColumns& columns) {
  for (size_t i = 0; i < columns.inputs.size(); ++i) {
    if (!takes_encoded(request, i)) continue;
    Names& names = columns.inputs[i];
    const std::string of = request.is_for_model ? " '" + request.inputs[i].name + "'" : "";
    std::erase_if(names, [&](const std::string& name) { return encoding.leaves_out(name); });
    if (names.empty())
      throw InvalidArgument(fmt::format("{}: no column is left for the input{}", request.path, of));
    if (request.is_for_model) check_width(request, request.inputs[i], encoding, names);
  }
}

void remember_encoding(const TableEncoding& encoding, TableSchema& schema) {
  schema.encode = encoding.to_json();
  for (const EncodedColumn& column : encoding.columns)
    if (column.encoding == nullptr && !contains(schema.ignored, column.name))
      schema.ignored.push_back(column.name);
}

DataToCheck encoded_to_check(const DataRequest& request, const NamedFields& fields) {
  DataToCheck data{.records = fields.records, .encoding = fields.encoding};
  data.fields.push_back({.name = "x"});
  data.fields[0].columns = fields.encoding->number_names(fields.columns[0]);
  if (fields.names.size() > 1)
    data.fields.push_back(
        {.name = "y", .role = FieldRole::target, .columns = request.options.target});
  if (!fields.records->class_names().empty()) data.fields.back().is_classes = true;
  return data;
}

}  // namespace plimsoll
