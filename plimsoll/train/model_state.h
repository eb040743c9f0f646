// What a model's handles share.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {

struct ModelState {
  explicit ModelState(std::shared_ptr<Network> n) : network(std::move(n)) {}

  // A run keeps a handle to its steps, because a callback may compile the model anew.
  std::shared_ptr<ModelSteps> compiled(const char* what) const {
    if (!is_compiled) throw InvalidArgument(network->name() + ": call compile() before " + what);
    return steps;
  }
  // To predict, a model need not be compiled.
  std::shared_ptr<ModelSteps> any_steps() {
    if (!steps) steps = std::make_shared<ModelSteps>(network, CompileOptions{});
    return steps;
  }

  std::shared_ptr<Network> network;
  std::shared_ptr<ModelSteps> steps;
  bool is_compiled = false;
  bool stop_training = false;
};

}  // namespace plimsoll
