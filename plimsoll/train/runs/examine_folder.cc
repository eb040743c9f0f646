#include "plimsoll/train/runs/examine_folder.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll {
namespace {

LoadedModel load_compiled(const std::string& path) {
  LoadedModel loaded = load_model(path, {.weights = false, .optimizer_state = false});
  if (!loaded.compiled)
    throw InvalidArgument("it is saved without a loss, or with one that only the program knows");
  return loaded;
}

// Data that has other fields than the model is left out, and so are streams.
void look(const Model& model, const Dataset& data, ExaminedFolder& into) {
  into.found = model.examine();
  into.how = "its log and its model are looked at, and not its data";
  if (data.source == nullptr) return;
  if (data.source->stream() != nullptr) {
    into.how += ", which is a stream";
    return;
  }
  try {
    into.found = model.examine(data);
    if (into.found.data) into.how = "its log, its model and its data are looked at";
  } catch (const Error& error) {
    into.how += fmt::format(", which cannot be: {}", error.what());
  }
}

}  // namespace

ExaminedFolder examine_folder(const std::string& run, const Dataset& data,
                              const std::optional<Model>& model) {
  ExaminedFolder examined{.how = "it has no model yet, so only its log is looked at"};
  const std::string path = model_in(run);
  try {
    if (model) {
      look(*model, data, examined);
    } else if (!path.empty()) {
      const WithoutInitialValues only_looked_at;  // facts about layers need no weights
      look(load_compiled(path).model, data, examined);
    }
  } catch (const Error& error) {
    examined.how =
        fmt::format("only its log is looked at, because its model cannot be: {}", error.what());
  }
  // How the weights were first is not known any more.
  for (LayerFacts& layer : examined.found.model.layers) layer.kernel_spread = -1;
  examined.found.run = read_run_story(run);
  return examined;
}

}  // namespace plimsoll
