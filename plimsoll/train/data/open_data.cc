#include "plimsoll/train/data/open_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/open_fields.h"
#include "plimsoll/train/data/model_fields.h"

namespace plimsoll {
namespace {

TargetForm form_of(const Loss& loss, const Shape& output) {
  if (!loss.defined()) return TargetForm::unknown;
  const bool is_one = output.rank() == 0 || output.back() == 1;
  switch (loss.targets().kind) {
    case LossTargets::Kind::class_numbers:
      return TargetForm::class_numbers;
    case LossTargets::Kind::class_vectors:
      return TargetForm::class_vectors;
    case LossTargets::Kind::probabilities:
    case LossTargets::Kind::signs:
      return is_one ? TargetForm::class_bit : TargetForm::numbers;
    case LossTargets::Kind::any_classes:
      return is_one ? TargetForm::class_bit : TargetForm::class_numbers;
    case LossTargets::Kind::numbers:
      break;
  }
  return TargetForm::numbers;
}

std::vector<WantedField> wanted(const Ports& ports) {
  std::vector<WantedField> fields;
  for (const Port& port : ports)
    fields.push_back({port.name, {port.spec.dtype, port.spec.shape.without(0)}});
  return fields;
}

Dataset dataset_of(const NamedFields& fields, const DataRequest& request) {
  Dataset data(fields.records);
  data.targets = request.options.targets ? static_cast<int>(request.outputs.size()) : 0;
  data.sample_weights = fields.sample_weights;
  data.schema = fields.schema;
  return data;
}

std::vector<FieldToCheck> fields_by_name(const Names& names) {
  std::vector<FieldToCheck> fields;
  for (const std::string& name : names) {
    fields.push_back({.name = name});
    if (name == "y") fields.back().role = FieldRole::target;
    if (name == "sample_weight") fields.back().role = FieldRole::weight;
  }
  return fields;
}

// The inputs are the first fields, then come the targets.
void name_columns(const NamedFields& data, std::vector<FieldToCheck>& fields) {
  size_t field = 0;
  for (const auto* side : {&data.schema.inputs, &data.schema.targets})
    for (const TableSchema::Field& one : *side)
      if (field < fields.size())
        fields[field++].columns =
            data.encoding == nullptr ? one.columns : data.encoding->number_names(one.columns);
}

// What the data of a trained model was, where the options do not say it.
void use_window_of_schema(const DataKind& kind, DataOptions& options) {
  if (!options.schema || !options.schema->window || !kind.takes.has(DataOption::window)) return;
  const TableSchema& schema = *options.schema;
  if (!options.window) options.window = schema.window;
  if (!options.horizon) options.horizon = schema.horizon;
  if (!options.stride) options.stride = schema.stride;
}

}  // namespace

DataRequest request_for(const Model& model, const std::string& path, const FoundData& found,
                        const DataOptions& options) {
  DataRequest request{.path = path,
                      .files = found.files,
                      .options = options,
                      .is_for_model = true,
                      .inputs = wanted(model.network().inputs()),
                      .outputs = wanted(model.network().outputs())};
  use_window_of_schema(*found.kind, request.options);
  if (request.inputs.empty())
    throw InvalidArgument(model.name() +
                          ": does not say what its inputs are; give its first "
                          "layer an Input and save it again");
  const std::vector<Loss> losses = losses_of(model);
  for (size_t i = 0; i < losses.size(); ++i)
    request.outputs[i].form = form_of(losses[i], request.outputs[i].spec.shape);
  return request;
}

OpenedData open_data(const std::string& path, const Model& model, const DataOptions& options) {
  const FoundData found = find_data(path);
  announce_others(found, path, options);
  const DataRequest request = request_for(model, path, found, options);
  const NamedFields fields = open_fields(*found.kind, request);
  return {.kind = found.kind,
          .data = dataset_of(fields, request),
          .are_images = *fields.are_images,
          .is_shuffled_to_split = *fields.is_shuffled_to_split,
          .inputs = names_of(request.inputs)};
}

std::vector<std::string> input_names(const Model& model) {
  return names_of(wanted(model.network().inputs()));
}

TableSchema with_repair(TableSchema schema, const std::vector<std::string>& inputs,
                        const ColumnValues& repair_values) {
  for (TableSchema::Field& input : schema.inputs) input.repair.clear();
  for (size_t i = 0; i < std::min(repair_values.size(), inputs.size()); ++i) {
    if (i == schema.inputs.size()) schema.inputs.push_back({.name = inputs[i]});
    schema.inputs[i].repair = repair_values[i];
  }
  return schema;
}

std::optional<Finding> about_places(const OpenedData& opened, const std::string& path,
                                    const DataOptions& options) {
  constexpr size_t kShown = 10;
  const std::vector<TableSchema::Field>& inputs = opened.data.schema.inputs;
  const bool is_known =
      options.schema && std::ranges::any_of(options.schema->inputs, [](const auto& input) {
        return !input.columns.empty();
      });
  if (is_known || inputs.size() != 1 || inputs[0].columns.size() < 2) return std::nullopt;
  const std::vector<std::string>& columns = inputs[0].columns;
  const std::span shown(columns.data(), std::min(columns.size(), kShown));
  return Finding{
      .where = path,
      .what = fmt::format("there is no data.json beside the model that says which columns it was "
                          "trained on, so they are its numbers in the order of the table: {}{}",
                          fmt::join(shown, ", "), columns.size() > kShown ? ", …" : "")};
}

void save_schema(const OpenedData& opened, const std::string& model_path,
                 const ColumnValues& repair_values) {
  const TableSchema schema = with_repair(opened.data.schema, opened.inputs, repair_values);
  if (!schema.inputs.empty()) write_file(schema_path(model_path), to_json(schema) + "\n");
  if (const auto names = opened.data.source->class_names(); !names.empty())
    write_classes(std::vector<std::string>(names.begin(), names.end()), model_path);
}

namespace {

// Files of a folder that are not read, as a warning of the check.
void warn_of_others(const FoundData& found, const std::string& path, const DataOptions& options,
                    DataToCheck& data) {
  if (!found.has_other_data) return announce_others(found, path, options);
  if (const auto finding = found.about_others(path))
    data.warnings.push_back({.reason = "other_files",
                             .count = found.other_count,
                             .what = finding->what,
                             .remedy = finding->remedy,
                             .examples = found.others});
}

DataToCheck open_found(const FoundData& found, const std::string& path, const Model* model,
                       const DataOptions& options) {
  DataRequest request = model != nullptr ? request_for(*model, path, found, options)
                                         : DataRequest{path, found.files, options};
  // Rows are checked, not the windows that they are in.
  if (model == nullptr && found.kind->open_to_check != nullptr)
    if (DataToCheck rows = found.kind->open_to_check(request); rows.records != nullptr) return rows;
  request.is_to_check = true;
  request.options.keeps_bad_records = true;
  const NamedFields fields = open_fields(*found.kind, request);
  DataToCheck data{.records = fields.records,
                   .fields = model == nullptr
                                 ? fields_by_name(fields.names)
                                 : fields_to_check(*model, dataset_of(fields, request)),
                   .bad = fields.bad,
                   .are_images = *fields.are_images};
  data.encoding = fields.encoding;
  // The columns of windows are those of a row.
  if (!request.options.window) name_columns(fields, data.fields);
  return data;
}

}  // namespace

DataToCheck open_to_check(const std::string& path, const Model* model, const DataOptions& options) {
  const FoundData found = find_data(path);
  DataToCheck data = open_found(found, path, model, options);
  warn_of_others(found, path, options, data);
  return data;
}

}  // namespace plimsoll
