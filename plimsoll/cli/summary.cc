// plimsoll summary: shows the layers of a model.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/model_arguments.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/graph/initial_values.h"

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SummaryArguments {
  ModelArguments model;
  bool json = false;
};

constexpr const char* kSummaryHelp =
    "Example:\n\n"
    "  plimsoll summary model.keras\n";

bool read(Arguments arguments, SummaryArguments& into) {
  CLI::App app("Shows the layers of a model, like model.summary() in Keras.", "plimsoll summary");
  add_model(app, into.model);
  app.add_flag("--json", into.json, "print the layers as JSON");
  app.footer(kSummaryHelp);
  return parse(app, arguments);
}

// A dimension that is open is null.
Json shape_json(const Shape& shape) {
  Json dims = Json::array();
  for (const int64_t dim : shape) dims.push_back(dim == kUnknown ? Json() : Json(dim));
  return dims;
}

Json ports_json(const Ports& ports) {
  Json json = Json::array();
  for (const Port& port : ports)
    json.push_back({{"name", port.name},
                    {"dtype", name_of(port.spec.dtype)},
                    {"shape", shape_json(port.spec.shape)}});
  return json;
}

int64_t count_of(const Variables& variables) {
  int64_t elements = 0;
  for (const Variable& variable : variables) elements += variable.shape().elements();
  return elements;
}

Json layers_json(const Network& network) {
  Json layers = Json::array();
  for (const Network::Row& row : network.rows()) {
    Json shapes = Json::array();
    for (const Shape& shape : row.outputs) shapes.push_back(shape_json(shape));
    layers.push_back({{"name", row.name},
                      {"class_name", row.kind},
                      {"output_shapes", shapes},
                      {"parameters", row.layer == nullptr ? 0 : count_of(row.layer->weights())},
                      {"trainable", row.layer != nullptr && row.layer->trainable()},
                      {"inputs", row.sources}});
  }
  return layers;
}

Json summary_json(const Model& model) {
  const Network& network = model.network();
  return {{"name", model.name()},
          {"class_name", network.class_name()},
          {"parameters", count_of(network.weights())},
          {"trainable_parameters", count_of(network.trainable_variables())},
          {"compiled", model.compiled()},
          {"optimizer", model.compiled() ? Json(model.optimizer()->class_name()) : Json()},
          {"inputs", ports_json(network.inputs())},
          {"outputs", ports_json(network.outputs())},
          {"layers", layers_json(network)}};
}

}  // namespace

int summary(Arguments arguments) {
  SummaryArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  const WithoutInitialValues only_looked_at;
  Findings findings;
  const Model model = load(parsed.model, Weights::reserved, findings);
  if (parsed.json)
    print_json(summary_json(model));
  else
    print_text(model.summary());
  return kDone;
}

}  // namespace plimsoll::cli
