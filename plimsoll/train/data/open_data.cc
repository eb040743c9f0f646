#include "plimsoll/train/data/open_data.h"

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/open_fields.h"
#include "plimsoll/train/data/model_fields.h"

namespace plimsoll {
namespace {

TargetForm form_of(const Loss& loss) {
  if (!loss.defined()) return TargetForm::numbers;
  switch (loss.targets().kind) {
    case LossTargets::Kind::class_numbers:
      return TargetForm::class_numbers;
    case LossTargets::Kind::class_vectors:
      return TargetForm::class_vectors;
    default:
      return TargetForm::numbers;
  }
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
  return data;
}

// What the model says of the fields; the data knows the columns.
std::vector<FieldToCheck> merged(std::vector<FieldToCheck> by_model,
                                 const std::vector<FieldToCheck>& by_data) {
  if (by_model.size() != by_data.size()) return by_model;
  for (size_t i = 0; i < by_model.size(); ++i) by_model[i].columns = by_data[i].columns;
  return by_model;
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

}  // namespace

DataRequest request_for(const Model& model, const std::string& path, const FoundData& found,
                        const DataOptions& options) {
  DataRequest request{.path = path,
                      .files = found.files,
                      .options = options,
                      .is_for_model = true,
                      .inputs = wanted(model.network().inputs()),
                      .outputs = wanted(model.network().outputs())};
  if (request.inputs.empty())
    throw InvalidArgument(model.name() +
                          ": does not say what its inputs are; give its first "
                          "layer an Input and save it again");
  const std::vector<Loss> losses = losses_of(model);
  for (size_t i = 0; i < losses.size(); ++i) request.outputs[i].form = form_of(losses[i]);
  return request;
}

OpenedData open_data(const std::string& path, const Model& model, const DataOptions& options) {
  const FoundData found = find_data(path);
  announce_others(found, path, options);
  const DataRequest request = request_for(model, path, found, options);
  const NamedFields fields = open_fields(*found.kind, request);
  return {found.kind, dataset_of(fields, request), *fields.are_images};
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
  const DataRequest request = model != nullptr ? request_for(*model, path, found, options)
                                               : DataRequest{path, found.files, options};
  DataToCheck data;
  if (found.kind->open_to_check != nullptr) data = found.kind->open_to_check(request);
  // Rows are checked, not the windows that they are in.
  const bool has_windows = options.window.has_value();
  if (data.records != nullptr && (model == nullptr || !data.bad.empty())) {
    // A field that was left out, or several inputs, leave nothing to compare with the model.
    const bool is_complete =
        !has_windows && data.fields.size() == request.inputs.size() + request.outputs.size();
    if (model != nullptr && is_complete)
      data.fields = merged(fields_to_check(*model, Dataset(data.records)), data.fields);
    return data;
  }
  data.records = nullptr;                // which may be large
  if (has_windows) data.fields.clear();  // columns are those of a row
  const NamedFields fields = open_fields(*found.kind, request);
  data.are_images = *fields.are_images;
  data.records = fields.records;
  data.fields = model == nullptr
                    ? fields_by_name(fields.names)
                    : merged(fields_to_check(*model, dataset_of(fields, request)), data.fields);
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
