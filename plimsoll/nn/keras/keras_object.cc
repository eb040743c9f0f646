#include "plimsoll/nn/keras/keras_object.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"

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
  return object;
}

}  // namespace plimsoll
