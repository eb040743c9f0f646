#include "python/bindings/python_layer.h"

#include <utility>

#include "plimsoll/graph/context.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/shapes_only.h"
#include "python/bindings/own_lines.h"

namespace plimsoll::python {
namespace {

const PythonObject* as_python(const LayerBody& body) {
  if (const auto* layer = dynamic_cast<const PythonLayer*>(&body)) return &layer->python;
  if (const auto* network = dynamic_cast<const PythonNetwork*>(&body)) return &network->python;
  return nullptr;
}

// A body and its object, which are let go together.
struct Kept {
  std::shared_ptr<LayerBody> body;
  PyObject* object;

  ~Kept() {
    if (!nb::is_alive()) return;
    const nb::gil_scoped_acquire gil;
    body.reset();
    Py_DECREF(object);
  }
};

nb::list specs_of(const Specs& specs) {
  nb::list list;
  for (const Spec& spec : specs)
    list.append(nb::make_tuple(dtype_name(spec.dtype), shape_of(spec)));
  return list;
}

}  // namespace

PythonObject::PythonObject(nb::handle object)
    : object_(object), class_name_(nb::cast<std::string>(object.type().attr("__name__"))) {}

void PythonObject::call_build(const Specs& inputs) const {
  const nb::gil_scoped_acquire gil;
  object_.attr("_core_build")(specs_of(inputs));
}

Tensors PythonObject::call_call(const Tensors& inputs, const CallContext& context) const {
  const nb::gil_scoped_acquire gil;
  nb::list tensors;
  for (const Tensor& input : inputs) tensors.append(input);
  const nb::object mask = context.mask.defined() ? nb::cast(context.mask) : nb::none();
  const nb::object training =
      context.training ? nb::object(nb::bool_(context.is_training)) : nb::none();
  const Results results;
  Tensors outputs;
  {
    const OwnLines inside;
    outputs = to_tensors(object_.attr("_core_call")(tensors, context.form, training, mask));
  }
  // In fit, no line of the program calls the layer: its own lines are all that can be named.
  if (const Place outside = Scope::locate({}); outside.line > 0)
    results.belong_to(outside, outputs);
  return outputs;
}

std::vector<LayerBody::Child> PythonObject::call_children() const {
  const nb::gil_scoped_acquire gil;
  std::vector<LayerBody::Child> children;
  for (const nb::handle pair : object_.attr("_core_children")())
    children.push_back({nb::cast<std::string>(pair[0]), nb::cast<Layer>(pair[1]).body()});
  return children;
}

bool PythonObject::has_masking() const {
  const nb::gil_scoped_acquire gil;
  return nb::cast<bool>(object_.attr("supports_masking"));
}

std::string PythonObject::call_json() const {
  const nb::gil_scoped_acquire gil;
  return nb::cast<std::string>(object_.attr("_core_json")());
}

void PythonNetwork::build(const Specs& inputs) {
  inputs_.clear();
  const std::vector<std::string> ports =
      names("_core_input_names", inputs.size(), name() + "_input");
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs_.push_back({ports[i], inputs[i]});
    if (inputs[i].shape.rank() > 0) inputs_.back().spec.shape[0] = kUnknown;
  }
  PythonBody::build(inputs);
}

Tensors PythonNetwork::call(const Tensors& inputs, const CallContext& context) {
  const Tensors outputs = PythonBody::call(inputs, context);
  if (!outputs_.empty()) return outputs;
  const std::vector<std::string> ports = names("_core_output_names", outputs.size(), "output");
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs_.push_back({ports[i], outputs[i].spec()});
    if (outputs[i].rank() > 0) outputs_.back().spec.shape[0] = kUnknown;
  }
  return outputs;
}

std::vector<std::string> PythonNetwork::names(const char* attribute, size_t count,
                                              const std::string& fallback) const {
  const nb::gil_scoped_acquire gil;
  auto found = nb::cast<std::vector<std::string>>(python.object().attr(attribute));
  if (found.size() == count) return found;
  found.clear();
  for (size_t i = 0; i < count; ++i)
    found.push_back(count == 1 ? fallback : fallback + "_" + std::to_string(i + 1));
  return found;
}

std::vector<Network::Row> PythonNetwork::rows() const {
  std::vector<Row> rows;
  for (const Child& child : children())
    rows.push_back({.name = child.layer->name(),
                    .kind = std::string(child.layer->class_name()),
                    .layer = child.layer});
  return rows;
}

std::shared_ptr<LayerBody> kept(const std::shared_ptr<LayerBody>& body) {
  const PythonObject* python = body == nullptr ? nullptr : as_python(*body);
  if (python == nullptr) return body;
  Py_INCREF(python->object().ptr());
  const auto both = std::make_shared<Kept>(body, python->object().ptr());
  return {both, body.get()};
}

nb::object python_object(const LayerBody& body) {
  const PythonObject* python = as_python(body);
  return python == nullptr ? nb::none() : nb::borrow(python->object());
}

}  // namespace plimsoll::python
