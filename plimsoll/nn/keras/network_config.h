// Networks <-> Keras's JSON of them: config.json of a .keras file, model.to_json(), the
// model_config of an .h5 file, in the forms of Keras 3 and of Keras 2.
#pragma once

#include <memory>
#include <string_view>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

// "Sequential", "Functional", "Model", "FeatureSpace".
bool is_network_class(std::string_view class_name);

// InvalidArgument if something of the network has no place in a Keras file.
Json network_to_json(const Network& network);

// A network with its layers built and weights as initialized. InvalidArgument names the layer that
// is not understood.
std::shared_ptr<Network> network_from_json(const Json& json);

Json input_to_json(const Port& port);
Layer input_from_json(const Json& config);

}  // namespace plimsoll
