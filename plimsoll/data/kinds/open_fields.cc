#include "plimsoll/data/kinds/open_fields.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/find_data.h"
#include "plimsoll/data/stages/one_hot_labels.h"

namespace plimsoll {
namespace {

// True if a model that expects the one shape takes the other. A last axis of one element may be
// there or not, as in Keras.
bool is_taken(Shape record, const Shape& expected) {
  if (record.rank() == expected.rank() + 1 && record.back() == 1)
    record = record.without(record.rank() - 1);
  if (record.rank() + 1 == expected.rank() && expected.back() == 1) record.push_back(1);
  if (record.rank() != expected.rank()) return false;
  for (int i = 0; i < record.rank(); ++i)
    if (expected[i] != kOpenSize && expected[i] != record[i]) return false;
  return true;
}

void check_inputs(const Source& source, const DataRequest& request) {
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const Shape& found = source.fields()[i].shape;
    const Shape& expected = request.inputs[i].spec.shape;
    if (!is_taken(found, expected))
      throw InvalidArgument(fmt::format(
          "{}: a record has the shape {}, the model's input '{}' takes {}", request.path,
          found.to_string(), request.inputs[i].name, shape_text(expected)));
  }
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

}  // namespace

NamedFields open_fields(const DataKind& kind, const DataRequest& request) {
  NamedFields fields = kind.open(request);
  if (!request.is_for_model) return fields;
  if (request.options.targets && fields.has_class_numbers)
    fields.records = with_wanted_labels(std::move(fields.records), request);
  check_inputs(*fields.records, request);
  return fields;
}

NamedFields open_as_it_is(const std::string& path, const DataOptions& options) {
  const FoundData found = find_data(path);
  return open_fields(*found.kind, {.path = path, .files = found.files, .options = options});
}

}  // namespace plimsoll
