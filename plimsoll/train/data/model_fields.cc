#include "plimsoll/train/data/model_fields.h"

#include <nlohmann/json.hpp>

#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/train/data/field_roles.h"
#include "plimsoll/train/data/number_ranges.h"

namespace plimsoll {
namespace {

std::vector<std::string> names_of_ports(const Ports& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.name);
  return names;
}

FieldRoles roles_for(const Model& model, const Dataset& data, const std::vector<Loss>& losses) {
  ModelSides sides{.owner = model.name(),
                   .inputs = names_of_ports(model.network().inputs()),
                   .outputs = names_of_ports(model.network().outputs()),
                   .needs_target = {}};
  for (const Loss& loss : losses) sides.needs_target.push_back(loss.defined());
  return roles_of(data.source->fields(), data, sides);
}

// A single one is called x or y, as in data without names.
std::string name_of(const Ports& ports, size_t i, const char* only) {
  return ports.size() == 1 ? only : ports[i].name;
}

}  // namespace

std::vector<Loss> losses_of(const Model& model) {
  const auto outputs = names_of_ports(model.network().outputs());
  if (!model.compiled()) return std::vector<Loss>(outputs.size());
  return model.compile_options().loss.spread(outputs, Loss(), model.name() + ": loss");
}

bool gives_logits(const Model& model) {
  const std::vector<Loss> losses = losses_of(model);
  if (losses.size() != 1 || !losses[0].defined() || losses[0].origin().class_name.empty())
    return false;
  const Json config = config_of(losses[0]);
  return config.is_object() && config.contains("config") &&
         config["config"].value("from_logits", false);
}

std::vector<FieldToCheck> fields_to_check(const Model& model, const Dataset& data) {
  const Ports inputs = model.network().inputs(), outputs = model.network().outputs();
  const std::vector<Loss> losses = losses_of(model);
  const FieldRoles roles = roles_for(model, data, losses);
  std::vector<FieldToCheck> fields(data.source->fields().size(),
                                   {.name = "sample_weight", .role = FieldRole::weight});
  for (size_t i = 0; i < inputs.size(); ++i)
    fields[static_cast<size_t>(roles.inputs[i])] = {.name = name_of(inputs, i, "x")};
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (roles.targets[i] < 0) continue;
    FieldToCheck& field = fields[static_cast<size_t>(roles.targets[i])];
    field = {.name = name_of(outputs, i, "y"), .role = FieldRole::target};
    if (losses[i].defined())
      field.is_classes =
          losses[i].targets().are_classes() || losses[i].targets().are_probabilities();
  }
  for (const NumberRange& range :
       number_ranges(model.network(), losses, data.source->fields(), roles)) {
    fields[range.field].limit = range.numbers.limit;
    fields[range.field].ignored = range.numbers.ignored;
  }
  return fields;
}

}  // namespace plimsoll
