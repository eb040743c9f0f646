#include "plimsoll/data/kinds/open_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/find_data.h"
#include "plimsoll/data/kinds/table_columns.h"
#include "plimsoll/data/stages/one_hot_labels.h"
#include "plimsoll/data/stages/windows.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

// True if a model that expects the one shape takes the other. A last axis of one element may be
// there or not, as in Keras.
bool is_taken(const Spec& found, const Spec& wanted) {
  Shape record = shape_of_elements(found);
  const Shape expected = shape_of_elements(wanted);
  if (record.rank() == expected.rank() + 1 && record.back() == 1)
    record = record.without(record.rank() - 1);
  if (record.rank() + 1 == expected.rank() && expected.back() == 1) record.push_back(1);
  if (record.rank() != expected.rank()) return false;
  for (int i = 0; i < record.rank(); ++i)
    if (expected[i] != kOpenSize && expected[i] != record[i]) return false;
  return true;
}

// What --window would make of rows, or why the columns of one are too many.
std::string window_advice(const DataRequest& request, const Shape& found, const Shape& expected) {
  if (request.options.window && found.rank() == 2 && expected.rank() == 2 &&
      found[0] == expected[0])
    return "; of a table, all columns are inputs, the target's too (--ignore leaves columns out)";
  if (!request.options.window && found.rank() == 1 && expected.rank() == 2)
    return expected[0] == kOpenSize
               ? "; if the rows are a series, --window N makes records of N rows"
               : fmt::format("; if the rows are a series, --window {} makes records of {} rows",
                             expected[0], expected[0]);
  return "";
}

void check_inputs(const Source& source, const DataRequest& request) {
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const Spec& found = source.fields()[i];
    const Spec& expected = request.inputs[i].spec;
    if ((found.dtype == DType::string) != (expected.dtype == DType::string))
      throw InvalidArgument(
          fmt::format("{}: a record has {}, the model's input '{}' takes {}", request.path,
                      found.dtype == DType::string ? "text" : "numbers", request.inputs[i].name,
                      expected.dtype == DType::string ? "text" : "numbers"));
    if (!is_taken(found, expected))
      throw InvalidArgument(fmt::format(
          "{}: a record has the shape {}, the model's input '{}' takes {}{}", request.path,
          shape_of_elements(found).to_string(), request.inputs[i].name,
          shape_text(shape_of_elements(expected)),
          window_advice(request, shape_of_elements(found), shape_of_elements(expected))));
  }
}

// The targets of tables and folders are numbers by now, those of arrays are as they were saved.
void refuse_text_targets(const Source& source, const DataRequest& request) {
  const auto& fields = source.fields();
  for (size_t i = request.inputs.size(); i < fields.size(); ++i)
    if (fields[i].dtype == DType::string)
      throw InvalidArgument(
          fmt::format("{}: the targets are text, expected numbers; save the number of each "
                      "record's class (np.unique(y, return_inverse=True) makes them)",
                      request.path));
}

// Fields that are the inputs, which come first. Without a model, those that are called neither y
// nor sample_weight.
int count_inputs(const NamedFields& fields, const DataRequest& request) {
  if (request.is_for_model) return static_cast<int>(request.inputs.size());
  const auto is_input = [](const std::string& name) {
    return name != "y" && name != "sample_weight";
  };
  const auto end = std::ranges::find_if_not(fields.names, is_input);
  if (std::any_of(end, fields.names.end(), is_input))
    throw InvalidArgument(
        fmt::format("{}: windows need the inputs before y and sample_weight, found {}",
                    request.path, fmt::join(fields.names, ", ")));
  return static_cast<int>(end - fields.names.begin());
}

// A model remembers how rows became its records. Records that have its shape already are no rows.
bool are_windows(const NamedFields& fields, const DataRequest& request) {
  const auto& schema = request.options.schema;
  if (!request.is_for_model || !schema || schema->window != request.options.window) return false;
  return fields.records->fields()[0].shape.rank() == request.inputs[0].spec.shape.rank();
}

SourcePtr in_windows(const NamedFields& fields, const DataRequest& request) {
  const DataOptions& options = request.options;
  return windows(fields.records,
                 {.window = *options.window,
                  .horizon = options.horizon.value_or(1),
                  .stride = options.stride.value_or(1),
                  .inputs = count_inputs(fields, request)},
                 request.path);
}

// Class numbers become vectors where the only output takes these.
SourcePtr with_wanted_labels(SourcePtr source, const DataRequest& request) {
  const size_t field = request.inputs.size();
  if (request.only_form() != TargetForm::class_vectors || source->fields().size() <= field)
    return source;
  const Spec& labels = source->fields()[field];
  const auto named = std::ssize(source->class_names());
  const int64_t classes = named > 0 ? named : request.outputs[0].spec.shape.back();
  if (!is_integer(labels.dtype) || labels.shape.rank() != 0 || classes == kOpenSize) return source;
  return one_hot_labels(std::move(source), static_cast<int>(field), classes);
}

// Arrays have no columns, but a model remembers the windows over them.
void remember_windows_of_arrays(const DataRequest& request, TableSchema& schema) {
  if (!schema.inputs.empty()) return;
  for (const WantedField& input : request.inputs) schema.inputs.push_back({.name = input.name});
  remember_window(request.options, schema);
}

}  // namespace

NamedFields open_fields(const DataKind& kind, const DataRequest& request) {
  NamedFields fields = kind.open(request);
  if (!fields.are_images) fields.are_images = kind.are_images;
  if (!fields.is_shuffled_to_split) fields.is_shuffled_to_split = kind.is_shuffled_to_split;
  if (request.is_for_model && request.options.targets && fields.has_class_numbers)
    fields.records = with_wanted_labels(std::move(fields.records), request);
  if (request.options.window && !are_windows(fields, request))
    fields.records = in_windows(fields, request);
  if (request.options.window && request.is_for_model)
    remember_windows_of_arrays(request, fields.schema);
  if (request.is_for_model) {
    check_inputs(*fields.records, request);
    refuse_text_targets(*fields.records, request);
  }
  return fields;
}

void announce_others(const FoundData& found, const std::string& path, const DataOptions& options) {
  if (const auto finding = found.about_others(path); finding && options.announce)
    options.announce(*finding);
}

NamedFields open_as_it_is(const std::string& path, const DataOptions& options) {
  const FoundData found = find_data(path);
  announce_others(found, path, options);
  return open_fields(*found.kind, {.path = path, .files = found.files, .options = options});
}

}  // namespace plimsoll
