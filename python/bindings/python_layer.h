// Layers and networks whose code is Python: the engine calls methods of a Python object.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/networks/network.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

// The body of plimsoll.keras.layers.Layer. The Python object owns the body and outlives it, so the
// body only borrows the object: there is no cycle for the garbage collector to find. Whoever else
// keeps the body must keep the object too: see kept().
//
// Methods of the object that are called, with the GIL: _core_build(specs), _core_call(tensors,
// form, training, mask), _core_children(), _core_json(), and the attribute supports_masking.
class PythonObject {
 public:
  explicit PythonObject(nb::handle object);

  nb::handle object() const { return object_; }
  const std::string& python_class() const { return class_name_; }
  void call_build(const Specs& inputs) const;
  Tensors call_call(const Tensors& inputs, const CallContext& context) const;
  std::vector<LayerBody::Child> call_children() const;
  bool has_masking() const;
  std::string call_json() const;

 private:
  nb::handle object_;
  std::string class_name_;
};

template <class Base>
class PythonBody : public Base {
 public:
  explicit PythonBody(nb::handle object) : python(object) {}

  std::string_view class_name() const override { return python.python_class(); }
  int input_count() const override { return 0; }
  bool supports_masking() const override { return python.has_masking(); }
  void build(const Specs& inputs) override { python.call_build(inputs); }
  Tensors call(const Tensors& inputs, const CallContext& context) override {
    return python.call_call(inputs, context);
  }
  std::vector<LayerBody::Child> children() const override { return python.call_children(); }
  std::string foreign_json() const override { return python.call_json(); }

  using WeightOptions = typename Base::WeightOptions;
  Variable make_weight(const WeightOptions& options) { return this->add_weight(options); }
  void take_weight(const Variable& weight) { this->own_weight(weight); }

  const PythonObject python;
};

using PythonLayer = PythonBody<LayerBody>;

// A model class of a Python program. Its inputs and outputs are known after the first call.
class PythonNetwork final : public PythonBody<Network> {
 public:
  using PythonBody::PythonBody;

  void build(const Specs& inputs) override;
  Tensors call(const Tensors& inputs, const CallContext& context) override;
  Ports inputs() const override { return inputs_; }
  Ports outputs() const override { return outputs_; }
  std::vector<Row> rows() const override;

 private:
  std::vector<std::string> names(const char* attribute, size_t count,
                                 const std::string& fallback) const;

  Ports inputs_, outputs_;
};

// The body as a graph or a network may keep it: a Python layer together with its object.
std::shared_ptr<LayerBody> kept(const std::shared_ptr<LayerBody>& body);

// The Python object of the body; None for the engine's own layers.
nb::object python_object(const LayerBody& body);

}  // namespace plimsoll::python
