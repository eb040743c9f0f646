// Makes recurrent layers and cells from their options; describe() must be declared before.
#pragma once

#include <memory>
#include <string_view>

#include "plimsoll/nn/recurrent/recurrent_layer.h"

namespace plimsoll {

template <class Body, class Options>
std::shared_ptr<LayerBody> named_and_checked(std::shared_ptr<Body> body, const Options& options) {
  body->set_name(options.name.empty() ? unique_name(body->class_name()) : options.name);
  if (!options.trainable) body->set_trainable(false);
  if constexpr (requires { options.activity_regularizer; })
    body->set_activity_regularizer(options.activity_regularizer);
  body->validate();
  return body;
}

template <class Options>
std::shared_ptr<LayerBody> make_recurrent_layer(std::string_view class_name, RecurrentCell kind,
                                                const Options& options) {
  const auto cell = make_inner_cell(recurrent_settings(kind, options));
  return named_and_checked(std::make_shared<RecurrentLayerOf<Options>>(class_name, options, cell),
                           options);
}

template <class Options>
std::shared_ptr<LayerBody> make_cell(RecurrentCell kind, const Options& options) {
  return named_and_checked(std::make_shared<CellOf<Options>>(kind, options), options);
}

}  // namespace plimsoll
