// Functional networks <-> the config that Keras writes for them: layers, each with the calls made
// of it (inbound_nodes), and which tensors are the inputs and outputs.
#pragma once

#include <memory>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/networks/functional.h"

namespace plimsoll {

Json functional_to_json(const FunctionalBody& network);

// `config` is the value of the key "config".
std::shared_ptr<Network> functional_from_json(const Json& config);

}  // namespace plimsoll
