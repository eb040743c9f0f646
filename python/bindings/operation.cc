// The operations of keras.ops that the engine knows, by the names of Keras's classes.
#include "plimsoll/nn/operations/operation.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/layers/layer_call.h"
#include "plimsoll/nn/operations/operation_list.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

// Arguments as a Keras file has them, with slots in place of tensors, which are gathered.
class Arguments {
 public:
  Json read(nb::handle object) {
    if (is_tensor(object)) return add(to_tensor(object));
    if (nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object)) {
      Json array = Json::array();
      for (const nb::handle element : object) array.push_back(read(element));
      return array;
    }
    if (PySlice_Check(object.ptr()))
      return {{"class_name", "__slice__"},
              {"config",
               {{"start", to_json(object.attr("start"))},
                {"stop", to_json(object.attr("stop"))},
                {"step", to_json(object.attr("step"))}}}};
    if (object.is(nb::handle(Py_Ellipsis)))
      return {{"class_name", "__ellipsis__"}, {"config", Json::object()}};
    if (nb::hasattr(object, "__array__") && !nb::isinstance<nb::float_>(object))
      return add(to_tensor(object));
    return to_json(object);
  }

  const Tensors& tensors() const { return tensors_; }

 private:
  static bool is_tensor(nb::handle object) {
    return nb::isinstance<Tensor>(object) || nb::isinstance<Variable>(object) ||
           nb::hasattr(object, "__plimsoll_tensor__");
  }
  Json add(const Tensor& tensor) {
    tensors_.push_back(tensor);
    return {{"__tensor__", tensors_.size() - 1}};
  }

  Tensors tensors_;
};

nb::object one_or_list(const Tensors& outputs) {
  if (outputs.size() == 1) return nb::cast(outputs[0]);
  nb::list list;
  for (const Tensor& output : outputs) list.append(output);
  return list;
}

Tensors run_now(const OperationKind& kind, const Json& config, const Json& node,
                const Tensors& tensors) {
  const std::string name(kind.class_name);
  OperationCall call(config, node, kind.arguments, tensors, name);
  Tensors outputs = kind.run(call);
  call.settings().finish();
  return outputs;
}

// In a functional model's definition the operation is a layer, which a file keeps.
Tensors record(const OperationKind& kind, const std::string& module, const Json& config,
               const Json& node, const Tensors& tensors) {
  const Json object = {{"module", module},
                       {"class_name", std::string(kind.class_name)},
                       {"config", config},
                       {"registered_name", std::string(kind.class_name)}};
  const Layer layer(std::make_shared<OperationBody>(object, node, unique_name(kind.class_name)));
  return layer(tensors, {}, caller());
}

nb::object operation(const std::string& class_name, nb::dict settings, nb::handle args,
                     nb::dict kwargs, const std::string& module) {
  const CallSite site(caller());
  const OperationKind* kind = find_operation(class_name);
  if (kind == nullptr)
    throw InvalidArgument(fmt::format("the operation '{}' is not known", class_name));
  Arguments arguments;
  Json node = {{"args", arguments.read(args)}, {"kwargs", Json::object()}};
  for (const auto& [key, value] : kwargs)
    node["kwargs"][nb::cast<std::string>(key)] = arguments.read(value);
  Json config = to_json(settings);
  const Tensors& tensors = arguments.tensors();
  return one_or_list(is_symbolic(tensors) ? record(*kind, module, config, node, tensors)
                                          : run_now(*kind, config, node, tensors));
}

}  // namespace

void bind_operations(nb::module_& module) {
  module.def("operation", operation, nb::arg("class_name"), nb::arg("config") = nb::dict(),
             nb::arg("args") = nb::list(), nb::arg("kwargs") = nb::dict(),
             nb::arg("module") = "keras.src.ops.numpy");
}

}  // namespace plimsoll::python
