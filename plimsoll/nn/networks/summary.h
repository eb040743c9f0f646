// The layers and parameters of a network as a table in plain text.
#pragma once

#include <string>

#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

// Lines as Keras prints them: one per layer with its name, kind, output shape and number of
// parameters, then the totals. `optimizer` are the optimizer's variables; if there are none, no
// line shows them.
std::string summary(const Network& network, const Variables& optimizer = {});

}  // namespace plimsoll
