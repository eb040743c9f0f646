#include "plimsoll/nn/operations/operation.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/operations/operation_list.h"

namespace plimsoll {
namespace {

constexpr int kDepthLimit = 32;  // of lists in lists

const OperationKind& known_kind(const Json& object, const std::string& name) {
  const std::string class_name = read_keras_object(object, name).class_name;
  if (const OperationKind* kind = find_operation(class_name)) return *kind;
  std::string known;
  for (const OperationKind& kind : operation_list())
    known += (known.empty() ? "" : ", ") + std::string(kind.class_name);
  throw InvalidArgument(name + ": the operation '" + class_name +
                        "' is not known (known: " + known + ")");
}

int count_slots(const Json& json) {
  if (json.is_object() && json.contains("__tensor__")) return 1;
  int count = 0;
  if (json.is_structured())
    for (const Json& element : json) count += count_slots(element);
  return count;
}

// Replaces tensors by slots.
Json with_slots(const Json& json, int& count, int depth, const std::string& name) {
  if (depth > kDepthLimit) throw InvalidArgument(name + ": its arguments are nested too deeply");
  if (json.is_object() && json.contains("class_name") && json["class_name"] == "__keras_tensor__")
    return {{"__tensor__", count++}};
  if (json.is_object() && json.contains("__tensor__"))
    throw InvalidArgument(name + ": an argument has the key __tensor__");
  Json copy = json;
  if (copy.is_structured())
    for (Json& element : copy) element = with_slots(element, count, depth + 1, name);
  return copy;
}

}  // namespace

OperationBody::OperationBody(const Json& object, const Json& node, std::string name)
    : kind_(&known_kind(object, name)),
      object_(std::make_unique<Json>(object)),
      node_(std::make_unique<Json>(node)),
      input_count_(count_slots(node)) {
  set_name(std::move(name));
}

OperationBody::~OperationBody() = default;

std::string_view OperationBody::class_name() const {
  return kind_->class_name;
}

RangeEffect OperationBody::range_effect() const {
  return kind_->range_effect;
}

Tensors OperationBody::call(const Tensors& inputs, const CallContext&) {
  const KerasObject object = read_keras_object(*object_, name());
  OperationCall call(*object.config, *node_, kind_->arguments, inputs, name());
  const Tensors outputs = kind_->run(call);
  call.settings().finish();
  return outputs;
}

Json OperationBody::to_json() const {
  Json object = keras_object((*object_)["module"].get<std::string>(), class_name(),
                             object_->contains("config") ? (*object_)["config"] : Json::object());
  object["registered_name"] = class_name();
  if (object["config"].contains("name")) object["config"]["name"] = name();
  return object;
}

Json OperationBody::node_template() const {
  return *node_;
}

bool is_operation(const std::string& module, const std::string&) {
  for (const char* prefix : {"keras.src.ops", "keras.ops", "keras.src.activations"})
    if (module.starts_with(prefix)) return true;
  return false;
}

Layer operation_from_json(const Json& layer_json, const Json& node) {
  const KerasObject object = read_keras_object(layer_json, "operation");
  const auto named = [](const Json& json) {
    const auto found = json.find("name");
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
  };
  std::string name = named(layer_json);
  if (name.empty()) name = named(*object.config);
  if (name.empty()) name = unique_name(object.class_name);
  int count = 0;
  Json slots = Json::object();
  for (const char* key : {"args", "kwargs"})
    if (node.is_object() && node.contains(key)) slots[key] = with_slots(node[key], count, 0, name);
  const Json kept = keras_object(object.module, object.class_name, *object.config);
  return Layer(std::make_shared<OperationBody>(kept, slots, name));
}

const OperationBody* as_operation(const LayerBody& layer) {
  return dynamic_cast<const OperationBody*>(&layer);
}

}  // namespace plimsoll
