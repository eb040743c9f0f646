#include "plimsoll/train/model.h"

#include <utility>

#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/nn/networks/summary.h"
#include "plimsoll/nn/recurrent/recurrent_layer.h"
#include "plimsoll/train/model_state.h"

namespace plimsoll {

Model::Model(const Tensors& inputs, const Tensors& outputs, const std::string& name)
    : Model(std::make_shared<FunctionalBody>(inputs, outputs, name)) {}

Model::Model(std::shared_ptr<Network> network)
    : state_(std::make_shared<ModelState>(std::move(network))) {}

Network& Model::network() const {
  return *state_->network;
}

void Model::compile(const CompileOptions& options) {
  state_->steps = std::make_shared<ModelSteps>(state_->network, options);
  state_->is_compiled = true;
}

bool Model::compiled() const {
  return state_->is_compiled;
}

const CompileOptions& Model::compile_options() const {
  return state_->compiled("asking for its options")->options();
}

const Optimizer& Model::optimizer() const {
  return state_->compiled("asking for its optimizer")->optimizer();
}

void Model::reset_states() {
  reset_state(Layer(state_->network));
}

bool& Model::stop_training() const {
  return state_->stop_training;
}

Tensor Model::operator()(const Tensor& x, const CallOptions& options, Place where) const {
  return Layer(state_->network)(x, options, where);
}

Tensors Model::operator()(const Tensors& x, const CallOptions& options, Place where) const {
  return Layer(state_->network)(x, options, where);
}

std::string Model::summary() const {
  Variables optimizer;
  if (compiled() && state_->steps->optimizer()->built())
    optimizer = state_->steps->optimizer()->variables();
  return plimsoll::summary(network(), optimizer);
}

Sequential::Sequential(const Layers& layers, const std::string& name)
    : Model(std::make_shared<SequentialBody>(layers, name)) {}

void Sequential::add(const Layer& layer) {
  static_cast<SequentialBody&>(network()).add(layer);
}

void Sequential::pop() {
  static_cast<SequentialBody&>(network()).pop();
}

}  // namespace plimsoll
