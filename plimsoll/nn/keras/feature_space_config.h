// A FeatureSpace <-> the config that Keras writes for it.
#pragma once

#include <memory>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/networks/feature_space.h"

namespace plimsoll {

// The whole object, with how Keras is to build its layers.
Json feature_space_to_json(const FeatureSpaceBody& space);

// `config` is the value of the key "config". InvalidArgument names what is not understood.
std::shared_ptr<Network> feature_space_from_json(const Json& config);

}  // namespace plimsoll
