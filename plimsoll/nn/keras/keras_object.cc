#include "plimsoll/nn/keras/keras_object.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/foreign_layers.h"

namespace plimsoll {
namespace {

const Json& no_settings() {
  static const Json empty = Json::object();
  return empty;
}

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

bool is_module_of_keras(std::string_view module) {
  for (const std::string_view root : {"keras", "keras_core", "tf_keras", "tensorflow", "builtins"})
    if (module == root || (module.starts_with(root) && module[root.size()] == '.')) return true;
  return false;
}

// A class of a program, whatever it is called: "Custom>Dense", "my_layers.Dense". Empty for a class
// of Keras.
std::string name_of_foreign_class(const Json& json, const KerasObject& object) {
  const std::string registered = text_of(json, "registered_name");
  const bool is_keras = is_module_of_keras(object.module);
  if (registered.find('>') != registered.npos && (!is_keras || object.module == "builtins"))
    return registered;
  return object.module.empty() || is_keras ? "" : object.module + "." + object.class_name;
}

void refuse_foreign_class(const Json& json, const KerasObject& object, const std::string& place) {
  const std::string foreign = name_of_foreign_class(json, object);
  if (foreign.empty() || knows_foreign_layers()) return;
  const std::string name = text_of(*object.config, "name");
  throw InvalidArgument(fmt::format(
      "{}{}: is of the class '{}', which is not one of Keras but code of a program, and code is "
      "never run (save it with classes of Keras alone)",
      place, name.empty() ? "" : " '" + name + "'", foreign));
}

}  // namespace

Json keras_object(std::string_view module, std::string_view class_name, Json config) {
  return {{"module", module},
          {"class_name", class_name},
          {"config", std::move(config)},
          {"registered_name", nullptr}};
}

KerasObject read_keras_object(const Json& json, std::string_view where) {
  if (json.is_string()) return {json.get<std::string>(), "", &no_settings()};
  const std::string place(where);
  if (!json.is_object())
    throw InvalidArgument(place + ": expected a name or an object, found " + json.type_name());
  KerasObject object{text_of(json, "class_name"), text_of(json, "module"), &no_settings()};
  const auto config = json.find("config");
  if (config != json.end() && config->is_object()) object.config = &*config;
  if (config != json.end() && config->is_string()) object.class_name = config->get<std::string>();
  if (object.class_name.empty()) throw InvalidArgument(place + ": has no class_name");
  refuse_foreign_class(json, object, place);
  return object;
}

}  // namespace plimsoll
