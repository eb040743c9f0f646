// Layer: a shared handle to a layer, so that using it twice shares its weights. Each kind of layer
// is a LayerBody: it makes its weights once, when it first sees its inputs' shapes, and builds
// graph nodes each time it is called.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/place.h"
#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"
#include "plimsoll/nn/layers/range_effect.h"
#include "plimsoll/nn/weights/constraint.h"
#include "plimsoll/nn/weights/initializer.h"
#include "plimsoll/nn/weights/regularizer.h"

namespace plimsoll {

// How a layer is called. A functional model records all of it with the call.
struct CallOptions {
  // Unset: as the surrounding call says; a call with none around it does not train.
  std::optional<bool> training = {};
  // Which steps of the first input count (batch, steps), bool. Unset: the mask that comes with it.
  Tensor mask = {};
  // For attention: which pairs may attend, bool, broadcast to (batch, queries, keys).
  Tensor attention_mask = {};
  bool use_causal_mask = false;
  bool return_attention_scores = false;
  // For recurrent layers: the state before the first step.
  Tensors initial_state = {};
  // For layers of a program in another language: which of the ways in which it was called, with
  // what arguments besides tensors, this is.
  int form = 0;
};

// The same as a body sees it.
struct CallContext : CallOptions {
  bool is_training = false;
};

class Fields;

class LayerBody {
 public:
  virtual ~LayerBody() = default;

  // Keras's class name: "Conv2D".
  virtual std::string_view class_name() const = 0;
  // Makes the weights with add_weight. Axis 0 is the batch and must not matter.
  virtual void build(const Specs& inputs);
  virtual Tensors call(const Tensors& inputs, const CallContext& context) = 0;
  // How many tensors it takes; 0 is any number.
  virtual int input_count() const { return 1; }
  // Keras removes the masks from its inputs: later layers of a functional model that read the same
  // tensor get none.
  virtual bool takes_masks_off() const { return false; }
  // Several inputs are arguments of their own in Keras, (query, value), not one list.
  virtual bool takes_inputs_apart() const { return false; }
  // False for the few layers in whose configs Keras refuses the key.
  virtual bool config_has_trainable() const { return true; }
  // Describes its settings except name, trainable and dtype, which every layer has.
  virtual void config_fields(Fields&) const {}
  // The JSON that a file has of a layer of a program in another language; empty for all others.
  virtual std::string foreign_json() const { return {}; }

  // True if it passes masks on. Then output_masks returns the mask of each output, given those of
  // the inputs (undefined where there is none); by default every output has the first input's.
  virtual bool supports_masking() const { return false; }
  virtual Tensors output_masks(const Tensors& inputs, const Tensors& outputs,
                               const Tensors& masks) const;

  // Checks of data use it to say how large the numbers are that meet the first weights.
  virtual RangeEffect range_effect() const { return {}; }
  // The layer that this one applies without changing what it computes; itself if it wraps none.
  virtual const LayerBody& unwrapped() const { return *this; }
  // True if a sample's outputs depend on the other samples of its batch, or on the batches before.
  // By default a layer does so if one inside does.
  virtual bool mixes_samples(bool is_training) const;

  // A layer inside, by the name of Keras's attribute: "forward_layer", "layers/dense_1".
  struct Child {
    std::string attribute;
    std::shared_ptr<LayerBody> layer;
  };
  virtual std::vector<Child> children() const { return {}; }
  // The group of Keras's weight file that holds this layer's own weights: "cell" of an LSTM.
  virtual std::string weight_group() const { return ""; }
  // The groups in which Keras keeps the state of a random generator: "seed_generator".
  virtual std::vector<std::string> seed_groups() const { return {}; }

  // Builds on first use, opens the layer's scope, checks the inputs, calls, and passes masks on.
  Tensors operator()(const Tensors& inputs, const CallOptions& options);

  // Weights of this layer and those inside, Keras's order: trainable first.
  Variables trainable_variables() const;
  Variables non_trainable_variables() const;
  Variables weights() const;
  // The weights of this layer alone, in the order of files: those that can be trained first.
  Variables own_weights() const;
  // One scalar per regularised weight; for penalties on outputs see ActivityPenalties.
  Tensors losses() const;
  void set_trainable(bool trainable);      // those inside too, as Keras
  void set_own_trainable(bool trainable);  // those inside keep their flags
  bool trainable() const { return trainable_; }
  bool built() const { return built_; }
  void set_activity_regularizer(Regularizer regularizer) { activity_ = std::move(regularizer); }
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

 protected:
  // Refuses inputs that do not match the layer or its weights; runs before build and call.
  virtual void check(const Specs&) const {}
  // Throws an InvalidArgument whose message begins with the layer's path.
  [[noreturn]] void refuse(const std::string& what) const;

  struct WeightOptions {
    std::string name;
    Shape shape;
    Initializer initializer;
    Regularizer regularizer = {};
    Constraint constraint = {};
    bool trainable = true;
    DType dtype = DType::float32;
    Shape drawn_as = {};  // the matrix whose sides initial values go by; rank 0: `shape`
  };
  Variable add_weight(const WeightOptions& options);
  // Lists a weight of the layer `inside`, which is built, as this layer's own too, as Keras does
  // where a layer keeps such a weight as an attribute. Files have it in both places.
  void adopt_weight(const LayerBody& inside, const Variable& weight);
  // Lists a variable that the program made; once, however often it is called.
  void own_weight(const Variable& weight);

 private:
  struct Weight {
    Variable variable;
    Regularizer regularizer;
    bool trainable;  // statistics are not, whatever the layer is
  };
  // Builds; if that fails half-way, the weights that were made are dropped.
  void build_whole(const Specs& inputs);
  std::vector<const Weight*> all_weights() const;
  void penalise(const Tensors& outputs) const;
  void pass_masks(const Tensors& inputs, const Tensors& outputs, const Tensor& mask) const;

  std::string name_;
  bool trainable_ = true;
  bool built_ = false;
  Regularizer activity_;
  std::vector<Weight> weights_;
};

class Layer {
 public:
  Layer() = default;
  explicit Layer(std::shared_ptr<LayerBody> body) : body_(std::move(body)) {}

  // On tensors: builds the graph of the call. On a functional model's symbolic tensors: records the
  // call.
  Tensor operator()(const Tensor& input, const CallOptions& options = {},
                    Place where = Place::here()) const;
  Tensors operator()(const Tensors& inputs, const CallOptions& options = {},
                     Place where = Place::here()) const;

  LayerBody& operator*() const { return *body_; }
  LayerBody* operator->() const { return body_.get(); }
  const std::shared_ptr<LayerBody>& body() const { return body_; }

 private:
  std::shared_ptr<LayerBody> body_;
};

using Layers = std::vector<Layer>;

// "MaxPooling2D" -> "max_pooling2d".
std::string snake_case(std::string_view class_name);

// "conv2d", then "conv2d_1", …: Keras's automatic names. reset_names() starts again.
std::string unique_name(std::string_view class_name);
void reset_names();

}  // namespace plimsoll
