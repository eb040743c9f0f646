#include "plimsoll/data/kinds/table_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"

namespace plimsoll {
namespace {

void refuse_unknown_columns(const DataRequest& request, const Names& columns) {
  for (const Names* named : {&request.options.target, &request.options.ignored})
    for (const std::string& name : *named)
      if (!contains(columns, name))
        throw InvalidArgument(fmt::format("{}: has no column '{}'{} (the columns are {})",
                                          request.path, name, did_you_mean(name, columns),
                                          fmt::join(columns, ", ")));
}

void append_columns(Names& all, const std::vector<TableSchema::Field>& fields) {
  for (const TableSchema::Field& field : fields)
    all.insert(all.end(), field.columns.begin(), field.columns.end());
}

std::string quoted_list(const Names& names) {
  constexpr size_t kShown = 10;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
  return text + (names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "");
}

// Names of `from` that are not among the others; the empty one does not count.
Names names_without(const Names& from, std::initializer_list<const Names*> others) {
  Names rest;
  for (const std::string& name : from)
    if (!name.empty() &&
        std::ranges::none_of(others, [&](const Names* other) { return contains(*other, name); }))
      rest.push_back(name);
  return rest;
}

void refuse_another_model(const DataRequest& request) {
  const TableSchema& schema = *request.options.schema;
  Names names;
  for (const TableSchema::Field& input : schema.inputs) names.push_back(input.name);
  if (names != names_of(request.inputs))
    throw InvalidArgument(fmt::format(
        "{}: data.json beside the model is of a model with the inputs {}, this one has {} (keep "
        "each model in a folder of its own)",
        request.path, fmt::join(names, ", "), fmt::join(names_of(request.inputs), ", ")));
}

// An option must not take away what the model learnt from.
void refuse_used_inputs(const DataRequest& request, const Names& inputs, const Names& targets) {
  for (const auto& [flag, named] : {std::pair{"--target", &request.options.target},
                                    std::pair{"--ignore", &request.options.ignored}})
    for (const std::string& name : *named)
      if (contains(inputs, name) && !contains(targets, name))
        throw InvalidArgument(
            fmt::format("{}: {} names the column '{}', which is an input of the model",
                        request.path, flag, name));
}

void refuse_missing(const DataRequest& request, const Names& missing, const Names& foreign) {
  if (missing.empty()) return;
  std::string text = fmt::format("{}: has no column {}, which the model was trained on",
                                 request.path, quoted_list(missing));
  if (!foreign.empty())
    text += fmt::format("; it has {}, which the model does not know", quoted_list(foreign));
  if (request.options.has_header == false && request.options.schema->has_header)
    text += " (the first line must name the columns)";
  throw InvalidArgument(text);
}

std::vector<Names> columns_of_fields(const std::vector<TableSchema::Field>& fields) {
  std::vector<Names> columns;
  for (const TableSchema::Field& field : fields) columns.push_back(field.columns);
  return columns;
}

std::vector<Names> target_columns(const DataRequest& request) {
  const Names& target = request.options.target;
  const bool is_known = has_schema(request) && !request.options.schema->targets.empty();
  if (request.wants_targets() && target.empty() && is_known)
    return columns_of_fields(request.options.schema->targets);
  if (!request.is_for_model) return std::vector<Names>(target.empty() ? 0 : 1, target);
  if (!request.options.targets) return {};
  if (target.empty()) refuse_without_target(request);
  if (request.outputs.size() == 1) return {target};
  if (target.size() != request.outputs.size())
    throw InvalidArgument(fmt::format(
        "{}: name one column for each of the outputs {} with --target, found {}", request.path,
        fmt::join(names_of(request.outputs), ", "), fmt::join(target, ", ")));
  std::vector<Names> targets;
  for (const std::string& column : target) targets.push_back({column});
  return targets;
}

// By the names that the schema has.
TableColumns choose_by_schema(const DataRequest& request, const Names& columns) {
  const TableSchema& schema = *request.options.schema;
  refuse_another_model(request);
  TableColumns chosen{.inputs = columns_of_fields(schema.inputs),
                      .targets = target_columns(request)};
  Names inputs, wanted, targets;
  append_columns(inputs, schema.inputs);
  append_columns(targets, schema.targets);
  refuse_used_inputs(request, inputs, targets);  // in a series a column may be both
  wanted = inputs;
  for (const Names& names : chosen.targets) wanted.insert(wanted.end(), names.begin(), names.end());
  const Names foreign = names_without(columns, {&wanted, &targets, &schema.ignored,
                                                &request.options.target, &request.options.ignored});
  refuse_missing(request, names_without(wanted, {&columns}), foreign);
  if (!foreign.empty() && request.options.announce)
    request.options.announce(
        {.severity = Finding::Severity::note,
         .where = request.path,
         .what = fmt::format("the model was not trained on column {}, which is "
                             "left out",
                             quoted_list(foreign))});
  return chosen;
}

}  // namespace

bool has_schema(const DataRequest& request) {
  const auto& schema = request.options.schema;
  return request.is_for_model && schema &&
         std::ranges::any_of(schema->inputs,
                             [](const auto& input) { return !input.columns.empty(); });
}

void remember_window(const DataOptions& options, TableSchema& schema) {
  schema.window = options.window;
  schema.horizon = options.horizon;
  schema.stride = options.stride;
}

TableSchema schema_of(const DataRequest& request, const TableColumns& columns) {
  TableSchema schema;
  if (request.options.schema) schema = *request.options.schema;
  schema.inputs.resize(columns.inputs.size());
  for (size_t i = 0; i < columns.inputs.size(); ++i) {
    schema.inputs[i].name = request.inputs[i].name;
    schema.inputs[i].columns = columns.inputs[i];
  }
  if (!columns.targets.empty()) schema.targets.clear();
  for (size_t i = 0; i < columns.targets.size(); ++i)
    schema.targets.push_back({.name = request.outputs[i].name, .columns = columns.targets[i]});
  for (const std::string& name : request.options.ignored)
    if (!contains(schema.ignored, name)) schema.ignored.push_back(name);
  if (request.options.missing && std::isfinite(*request.options.missing))
    schema.missing = request.options.missing;
  remember_window(request.options, schema);
  if (request.options.has_header) schema.has_header = *request.options.has_header;
  return schema;
}

void refuse_without_target(const DataRequest& request) {
  throw InvalidArgument(fmt::format("{}: name the column to learn with --target", request.path));
}

bool has_all_inputs(const DataRequest& request, const Names& columns) {
  return !request.inputs.empty() &&
         std::ranges::all_of(request.inputs, [&](const WantedField& input) {
           return contains(columns, input.name);
         });
}

Names rest_of(const DataRequest& request, const Names& columns) {
  Names rest;
  for (const std::string& column : columns)
    if (!column.empty() && !contains(request.options.ignored, column) &&
        (request.options.window || !contains(request.options.target, column)))
      rest.push_back(column);
  return rest;
}

TableColumns choose_columns(const DataRequest& request, const Names& columns) {
  if (has_schema(request)) return choose_by_schema(request, columns);
  TableColumns chosen{.inputs = {}, .targets = target_columns(request)};
  refuse_unknown_columns(request, columns);
  if (has_all_inputs(request, columns)) {
    for (const WantedField& input : request.inputs) chosen.inputs.push_back({input.name});
    return chosen;
  }
  if (request.inputs.size() > 1)
    throw InvalidArgument(fmt::format("{}: expected a column for each of the inputs {}, found {}",
                                      request.path, fmt::join(names_of(request.inputs), ", "),
                                      fmt::join(columns, ", ")));
  chosen.inputs = {rest_of(request, columns)};
  chosen.are_rest = !request.options.window;
  return chosen;
}

}  // namespace plimsoll
