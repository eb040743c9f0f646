#include "plimsoll/train/reported_names.h"

#include "plimsoll/train/steps/objective.h"

namespace plimsoll {

std::vector<std::string> reported_names(const Model& model, bool with_validation) {
  std::vector<std::string> outputs;
  for (const Port& port : model.network().outputs()) outputs.push_back(port.name);
  std::vector<std::string> names =
      Objective(model.name(), outputs, model.compile_options()).names();
  if (with_validation)
    for (size_t i = 0, count = names.size(); i < count; ++i) names.push_back("val_" + names[i]);
  return names;
}

}  // namespace plimsoll
