#include "plimsoll/train/examine.h"

#include "plimsoll/guards/doctor/data_facts.h"
#include "plimsoll/guards/doctor/model_facts.h"
#include "plimsoll/train/checked_records.h"
#include "plimsoll/train/data/input_use.h"

namespace plimsoll {
namespace {

FieldsToLookAt fields_to_look_at(const Network& network, const FieldRoles& roles) {
  FieldsToLookAt fields{.inputs = {}, .targets = roles.targets};
  const std::vector<InputUse> uses = input_uses(network);
  const Ports ports = network.inputs();
  for (size_t i = 0; i < roles.inputs.size(); ++i) {
    FieldsToLookAt::Input input{.name = i < ports.size() ? ports[i].name : "",
                                .field = roles.inputs[i]};
    if (i < uses.size()) {
      input.meets_weights = uses[i].kind == InputUse::Kind::weights;
      input.is_table = uses[i].kind == InputUse::Kind::table;
      input.scale = uses[i].scale;
      input.offset = uses[i].offset;
    }
    fields.inputs.push_back(std::move(input));
  }
  return fields;
}

}  // namespace

TrainingCase examine(const Network& network, ModelSteps& steps, const Dataset& data,
                     const ReadingOptions& reading) {
  TrainingCase found;
  if (data.source != nullptr && data.source->stream() == nullptr) {
    const Dataset checked = checked_records(steps, data, reading);
    const RecordFields fields = steps.fields_of(checked.source->fields(), checked);
    found.data =
        data_facts(*checked.source, *data.source, fields_to_look_at(network, fields.roles));
  }
  found.model = model_facts(network, steps.objective().losses(), steps.optimizer());
  return found;
}

}  // namespace plimsoll
