// JSON-lines files: keys by the names of a model's inputs and outputs, or x and y; or with a
// target, as the columns of a table.
#include <algorithm>

#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/table_classes.h"
#include "plimsoll/data/kinds/table_columns.h"
#include "plimsoll/data/kinds/table_encode.h"
#include "plimsoll/data/sources/jsonl_cells.h"
#include "plimsoll/data/sources/jsonl_source.h"
#include "plimsoll/data/sources/jsonl_survey.h"

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

// True if the keys are the columns of a table.
bool is_table(const DataRequest& request, const Names& keys) {
  return !request.options.target.empty() || is_encoded(request) || knows_a_key(request, keys);
}

void choose_table(const DataRequest& request, const Names& keys, JsonlOptions& options,
                  NamedFields& fields) {
  TableColumns columns = choose_columns(request, keys);
  if (is_encoded(request)) {
    const auto cells = jsonl_cells(request.files);
    options.encoding = encoding_for(request, columns, *cells);
    use_encoding(request, *options.encoding, columns);
    announce_new_cells(request, columns, *options.encoding, *cells);
    fields.encoding = options.encoding;
    fields.columns = columns.inputs;
  }
  options.inputs = columns.inputs;
  options.targets = columns.targets;
  if (!options.missing && has_schema(request)) options.missing = request.options.schema->missing;
  fields.names = columns.targets.empty() ? Names{"x"} : Names{"x", "y"};
  if (!request.is_for_model) return;
  fields.schema = schema_of(request, columns);
  if (fields.encoding != nullptr) remember_encoding(*fields.encoding, fields.schema);
}

std::vector<CountedClass> class_counts(const DataRequest& request, const std::string& key) {
  const JsonLines lines(request.files, {});
  std::vector<CountedClass> counted;
  for (const auto& [name, text] : survey_target(lines, key, false).texts)
    counted.push_back({name, text.records, lines.name(text.first)});
  return counted;
}

void check_jsonl_classes(const DataRequest& request, const JsonlOptions& options,
                         NamedFields& fields) {
  check_classes(request,
                {.targets = options.targets,
                 .count = [&](const std::string& key) { return class_counts(request, key); },
                 .open =
                     [&](const Names& class_names) {
                       JsonlOptions again = options;
                       again.class_names = class_names;
                       return jsonl_source(request.files, again);
                     }},
                fields);
}

NamedFields open_jsonl(const DataRequest& request) {
  const Names keys = jsonl_keys(request.files);
  JsonlOptions options{.class_names = request.options.class_names,
                       .missing = request.options.missing};
  for (const WantedField& input : request.inputs) options.input_dtypes.push_back(input.spec.dtype);
  NamedFields fields;
  if (is_table(request, keys)) {
    choose_table(request, keys, options, fields);
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
  for (size_t i = 0; request.is_for_model && i < options.targets.size(); ++i)
    options.take_classes.push_back(takes_classes(request.outputs[i].form));
  fields.records = jsonl_source(request.files, options);
  if (request.wants_targets()) check_jsonl_classes(request, options, fields);
  fields.has_class_numbers = !fields.records->class_names().empty();
  return fields;
}

// Without an encoding it is checked as it is opened.
DataToCheck open_jsonl_to_check(const DataRequest& request) {
  if (!is_encoded(request)) return {};
  return encoded_to_check(request, open_jsonl(request));
}

}  // namespace

namespace kinds {

extern constexpr DataKind jsonl{
    .name = "jsonl",
    .files = ".jsonl files",
    .help = ".jsonl files with keys x and y (or one for each named input and output)",
    .recognises = is_jsonl,
    .count = kAnyFiles,
    .takes = {DataOption::window, DataOption::target, DataOption::ignore, DataOption::missing,
              DataOption::encode},
    .open = open_jsonl,
    .open_to_check = open_jsonl_to_check};

}  // namespace kinds
}  // namespace plimsoll
