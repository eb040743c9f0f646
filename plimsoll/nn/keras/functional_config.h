// Functional networks <-> the config that Keras writes for them: layers, each with the calls made
// of it (inbound_nodes), and where the inputs and outputs stand.
#pragma once

#include <memory>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/networks/functional.h"

namespace plimsoll {

Json functional_to_json(const FunctionalBody& network);

// `config` is what stands under "config".
std::shared_ptr<Network> functional_from_json(const Json& config);

}  // namespace plimsoll
