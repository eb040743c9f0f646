#include "plimsoll/nn/network_config.h"

#include <array>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"

namespace plimsoll {
bool is_network_class(std::string_view class_name) {
  return class_name == "Sequential" || class_name == "Functional" || class_name == "Model";
}
Json network_to_json(const Network& network) { throw InvalidArgument(network.name()); }
std::shared_ptr<Network> network_from_json(const Json&) { throw InvalidArgument(""); }
Json input_to_json(const Port& port) { throw InvalidArgument(port.name); }
Layer input_from_json(const Json&) { throw InvalidArgument(""); }
}  // namespace plimsoll
