// StartState: the weights that a training begins with and what else its layers keep, by layer, so
// that a smaller network can begin with the same.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "plimsoll/nn/layers/layer_state.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

class StartState {
 public:
  StartState() = default;
  // A copy of what the network, which is built, has now.
  explicit StartState(const Network& network);

  // Gives each weight the value that it has here. One that has become smaller gets the first rows
  // and columns of it; one that is new or larger keeps its own.
  void apply(Network& network) const;

 private:
  std::map<std::string, HostTensor> weights_;
  std::map<std::string, KeepsState::State> states_;
};

using StartStatePtr = std::shared_ptr<const StartState>;

}  // namespace plimsoll
