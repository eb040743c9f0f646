// What the layers' own files share.
#pragma once

#include <memory>
#include <string>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/ops/convolution/convolution.h"

namespace plimsoll {

// A body that is described by options: describe(Fields&, Options&), found beside them, writes its
// config and reads it.
template <class Options>
class LayerOf : public LayerBody {
 public:
  explicit LayerOf(const Options& options) : options_(options) {}
  void config_fields(Fields& fields) const override {
    Options copy = options_;
    describe(fields, copy);
  }
  std::vector<Child> children() const override {
    if constexpr (requires { options_.activation.is_layer(); })
      if (options_.activation.is_layer())
        return {{"activation", options_.activation.layer().body()}};
    return {};
  }

 protected:
  // The kernel of a layer whose options say how kernels begin and what holds for them.
  WeightOptions kernel_of(const Shape& shape) const {
    return {.name = "kernel",
            .shape = shape,
            .initializer = options_.kernel_initializer,
            .regularizer = options_.kernel_regularizer,
            .constraint = options_.kernel_constraint};
  }
  WeightOptions bias_of(const Shape& shape) const {
    return {.name = "bias",
            .shape = shape,
            .initializer = options_.bias_initializer,
            .regularizer = options_.bias_regularizer,
            .constraint = options_.bias_constraint};
  }

  Options options_;
};

// A body with the name and the trainable flag of its options, whose validate(), if it has one,
// accepts them.
template <class Body, class Options>
std::shared_ptr<LayerBody> make_layer(const Options& options) {
  auto body = std::make_shared<Body>(options);
  body->set_name(options.name.empty() ? unique_name(body->class_name()) : options.name);
  if (!options.trainable) body->set_trainable(false);  // layers inside keep their own flags
  if constexpr (requires { options.activity_regularizer; })
    body->set_activity_regularizer(options.activity_regularizer);
  if constexpr (requires { body->validate(); }) body->validate();
  return body;
}

// "valid" or "same"; InvalidArgument lists them.
Padding padding_of(const std::string& name);

}  // namespace plimsoll
