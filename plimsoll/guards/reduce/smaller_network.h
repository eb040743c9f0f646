// Smaller networks, made of the config of one: without some of its layers, or with fewer units.
// Whether what is left can be built, and still does what is asked for, is for the caller to try.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plimsoll/nn/keras/json.h"

namespace plimsoll {

// The names of the layers that may be left out: all but inputs, in their order. `network` is what
// network_to_json() gives; of a FeatureSpace there are none.
std::vector<std::string> layers_of(const Json& network);

// Which of its inputs stands for a layer with several, such as Add, when it is left out.
enum class Stands { first_input, last_input };

// The network without these layers: those that read one of them read its input instead, and what
// no output needs any more goes too. Nothing if no layer or not each input would be left.
std::optional<Json> without_layers(const Json& network, const std::set<std::string>& dropped,
                                   Stands stands = Stands::first_input);

// A number of a layer's config by which it is wide: its units, filters, heads.
struct LayerSize {
  std::string layer, setting;
  int64_t value = 0;

  bool operator==(const LayerSize&) const = default;
};
// Those above 1.
std::vector<LayerSize> sizes_of(const Json& network);
// The network in which this setting of the layer has this value.
Json with_size(const Json& network, const LayerSize& size);

}  // namespace plimsoll
