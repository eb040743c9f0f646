// How Keras writes an object down: {"module", "class_name", "config", "registered_name"}.
#pragma once

#include <string>
#include <string_view>

#include "plimsoll/nn/keras/json.h"

namespace plimsoll {

Json keras_object(std::string_view module, std::string_view class_name, Json config);

// An object as read from a config. A plain string ("mse") is a class name without a config; so is a
// function, whose config is its name.
struct KerasObject {
  std::string class_name;
  std::string module;            // empty in old files
  const Json* config = nullptr;  // an object of settings; never null
};

// Throws an InvalidArgument that begins with `where` if the JSON is neither a string nor an object,
// or if the class is not one of Keras: a program may register "Custom>Dense", which is no Dense.
KerasObject read_keras_object(const Json& json, std::string_view where);

}  // namespace plimsoll
