// Layers <-> Keras's JSON of them.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

// {"module": "keras.layers", "class_name", "config", "registered_name"}; networks and inputs too.
// Layers hold networks and networks hold layers, so these two are defined in network_config.cc,
// which knows both.
Json layer_to_json(const LayerBody& layer);

// A new layer, not built. InvalidArgument names the layer and what is wrong with it: an unknown
// class (a custom layer, a Lambda) with the list of those that are known.
Layer layer_from_json(const Json& json);

// The same for a layer whose class is in layer_list().
Json listed_layer_to_json(const LayerBody& layer);
Layer listed_layer_from_json(const Json& json);

// How Keras writes that a layer computes in float32.
Json float32_policy();
// "float32", "mixed_float16", …: a policy may be a name or an object.
std::string policy_name(const Json& json);

// Notes on settings that were read as something else than they say, each once: a mixed dtype
// policy, for instance. Returns the notes of this thread since the last call.
std::vector<std::string> take_config_notes();
void note_config(const std::string& note);

}  // namespace plimsoll
