// JSON-lines files: keys by the names of a model's inputs and outputs, or x and y; or with a
// target, as the columns of a table.
#include <algorithm>

#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/table_columns.h"
#include "plimsoll/data/sources/jsonl_source.h"

namespace plimsoll {
namespace {

bool is_jsonl(const DataFile& file) {
  if (file.is_standard_input()) return file.is_json();
  return !file.is_folder && (file.path.ends_with(".jsonl") || file.path.ends_with(".ndjson"));
}

std::vector<Names> one_each(const Names& keys) {
  std::vector<Names> fields;
  for (const std::string& key : keys) fields.push_back({key});
  return fields;
}

// True if the model was trained on a table that has one of the keys for a column.
bool knows_a_key(const DataRequest& request, const Names& keys) {
  if (!has_schema(request)) return false;
  return std::ranges::any_of(request.options.schema->inputs, [&](const auto& input) {
    return std::ranges::any_of(input.columns,
                               [&](const std::string& column) { return contains(keys, column); });
  });
}

NamedFields open_jsonl(const DataRequest& request) {
  const Names keys = jsonl_keys(request.files);
  JsonlOptions options{.class_names = request.options.class_names,
                       .missing = request.options.missing};
  for (const WantedField& input : request.inputs) options.input_dtypes.push_back(input.spec.dtype);
  NamedFields fields;
  if (!request.options.target.empty() || knows_a_key(request, keys)) {
    const TableColumns columns = choose_columns(request, keys);
    options.inputs = columns.inputs;
    options.targets = columns.targets;
    if (!options.missing && has_schema(request)) options.missing = request.options.schema->missing;
    fields.names = columns.targets.empty() ? Names{"x"} : Names{"x", "y"};
    if (request.is_for_model) fields.schema = schema_of(request, columns);
  } else if (request.is_for_model) {
    const FieldChoice chosen = choose_by_name(request, keys, "a key");
    options.inputs = one_each(chosen.inputs);
    options.targets = one_each(chosen.targets);
    options.weights = one_each(chosen.weights);
    fields.sample_weights = static_cast<int>(chosen.weights.size());
  } else {
    // Every key is a field by itself; y may be the name of a class.
    fields.names = rest_of(request, keys);
    for (const std::string& key : fields.names)
      (key == "y" ? options.targets : options.inputs).push_back({key});
    std::stable_partition(fields.names.begin(), fields.names.end(),
                          [](const std::string& name) { return name != "y"; });
  }
  fields.records = jsonl_source(request.files, options);
  fields.has_class_numbers = !fields.records->class_names().empty();
  return fields;
}

}  // namespace

namespace kinds {

extern constexpr DataKind jsonl{
    .name = "jsonl",
    .files = ".jsonl files",
    .help = ".jsonl files with keys x and y (or one for each named input and output)",
    .recognises = is_jsonl,
    .count = kAnyFiles,
    .takes = {DataOption::window, DataOption::target, DataOption::ignore, DataOption::missing},
    .open = open_jsonl};

}  // namespace kinds
}  // namespace plimsoll
