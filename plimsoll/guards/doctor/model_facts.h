// The facts about a model that the doctor's rules read.
#pragma once

#include <vector>

#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/nn/losses/loss.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

// The network is built and its weights have their values. `losses`: one per output.
ModelFacts model_facts(const Network& network, const std::vector<Loss>& losses,
                       const Optimizer& optimizer);

}  // namespace plimsoll
