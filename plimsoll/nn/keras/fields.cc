#include "plimsoll/nn/keras/fields.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/size2d.h"

namespace plimsoll {
namespace {

constexpr size_t kShownCharacters = 60;

// The beginning of a value, enough to recognise it.
std::string shown(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= kShownCharacters ? text : text.substr(0, kShownCharacters) + "…";
}

// True for values that an unread key may hold without an effect.
bool says_nothing(const Json& json) {
  return json.is_null() || json == false || (json.is_structured() && json.empty());
}

// Keras writes 2.0 where a user wrote 2.0.
bool is_whole(const Json& json, int64_t low, int64_t high) {
  if (json.is_number_unsigned()) return json.get<uint64_t>() <= static_cast<uint64_t>(high);
  if (json.is_number_integer()) return json.get<int64_t>() >= low && json.get<int64_t>() <= high;
  return json.is_number_float() && std::abs(json.get<double>()) < 1e9 &&
         std::floor(json.get<double>()) == json.get<double>();
}

template <class T>
bool has_type(const Json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, std::string>) return json.is_string();
  if constexpr (std::is_same_v<T, double>) return json.is_number();
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return is_whole(json, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

template <class T>
constexpr const char* kTypeName = "a whole number";
template <>
constexpr const char* kTypeName<bool> = "true or false";
template <>
constexpr const char* kTypeName<std::string> = "a text";
template <>
constexpr const char* kTypeName<double> = "a number";

template <class T>
T read_value(const Fields& fields, const char* key, const Json& json) {
  if (!has_type<T>(json))
    fields.refuse(std::string(key) + " must be " + kTypeName<T> + ", found " + shown(json));
  return json.get<T>();
}

template <class T>
void read_list(const Fields& fields, const char* key, const Json& json, std::vector<T>& value) {
  value.clear();
  if (!json.is_array()) return value.push_back(read_value<T>(fields, key, json));
  for (const Json& element : json) value.push_back(read_value<T>(fields, key, element));
}

}  // namespace

Fields::Fields(const Json& config, std::string owner) : source_(&config), owner_(std::move(owner)) {
  if (!config.is_object()) refuse("its config must be an object, found " + shown(config));
}

Fields::Fields() : target_(std::make_unique<Json>(Json::object())) {}

Fields::~Fields() = default;

void Fields::refuse(const std::string& what) const {
  throw InvalidArgument(owner_ + ": " + what);
}

const Json* Fields::find(const char* key) {
  if (!reading()) return nullptr;
  asked_.insert(key);
  const auto found = source_->find(key);
  return found == source_->end() || found->is_null() ? nullptr : &*found;
}

bool Fields::has(std::string_view key) const {
  if (!reading()) return false;
  const auto found = source_->find(std::string(key));
  return found != source_->end() && !found->is_null();
}

bool Fields::is_null(std::string_view key) const {
  return reading() && !has(key) && source_->contains(std::string(key));
}

void Fields::write(const char* key, Json value) {
  if (!reading()) (*target_)[key] = std::move(value);
}

template <class T>
Fields& Fields::plain(const char* key, T& value) {
  if (!reading())
    write(key, value);
  else if (const Json* found = find(key))
    value = read_value<T>(*this, key, *found);
  return *this;
}

template <class T>
Fields& Fields::maybe(const char* key, std::optional<T>& value) {
  if (!reading()) {
    write(key, value ? Json(*value) : Json());
    return *this;
  }
  const Json* found = find(key);
  if (found != nullptr)
    value = read_value<T>(*this, key, *found);
  else if (source_->contains(key))
    value.reset();
  return *this;
}

template <class T>
Fields& Fields::list(const char* key, std::vector<T>& value) {
  if (!reading())
    write(key, value);
  else if (const Json* found = find(key))
    read_list(*this, key, *found, value);
  return *this;
}

Fields& Fields::with(const char* key, bool& value) {
  return plain(key, value);
}
Fields& Fields::with(const char* key, int& value) {
  return plain(key, value);
}
Fields& Fields::with(const char* key, int64_t& value) {
  return plain(key, value);
}
Fields& Fields::with(const char* key, double& value) {
  return plain(key, value);
}
Fields& Fields::with(const char* key, std::string& value) {
  return plain(key, value);
}
Fields& Fields::with(const char* key, std::optional<bool>& value) {
  return maybe(key, value);
}
Fields& Fields::with(const char* key, std::optional<int64_t>& value) {
  return maybe(key, value);
}
Fields& Fields::with(const char* key, std::optional<double>& value) {
  return maybe(key, value);
}
Fields& Fields::with(const char* key, std::optional<std::string>& value) {
  return maybe(key, value);
}
Fields& Fields::with(const char* key, std::vector<int64_t>& value) {
  return list(key, value);
}
Fields& Fields::with(const char* key, std::vector<int>& value) {
  return list(key, value);
}
Fields& Fields::with(const char* key, std::vector<double>& value) {
  return list(key, value);
}
Fields& Fields::with(const char* key, std::vector<std::string>& value) {
  return list(key, value);
}

Fields& Fields::with(const char* key, Shape& value) {
  if (!reading()) {
    Json dims = Json::array();
    for (const int64_t dim : value) dims.push_back(dim == kUnknown ? Json() : Json(dim));
    write(key, std::move(dims));
    return *this;
  }
  const Json* found = find(key);
  if (found == nullptr) return *this;
  if (!found->is_array() || found->size() > Shape::kMaxRank)
    refuse(fmt::format("{} must be a list of at most {} dimensions, found {}", key, Shape::kMaxRank,
                       shown(*found)));
  value = {};
  for (const Json& dim : *found)
    value.push_back(dim.is_null() ? kUnknown : read_value<int64_t>(*this, key, dim));
  return *this;
}

Fields& Fields::with(const char* key, Size2D& value) {
  std::vector<int64_t> sizes = {value.height, value.width};
  with(key, sizes);
  if (sizes.size() == 1) sizes.push_back(sizes[0]);
  if (sizes.size() != 2)
    refuse(fmt::format("{} must be one or two numbers, found {}", key, sizes.size()));
  value = {sizes[0], sizes[1]};
  return *this;
}

Fields& Fields::activation(const char* key, std::string& value) {
  if (!reading()) {
    write(key, value.empty() ? "linear" : value);
    return *this;
  }
  const Json* found = find(key);
  if (found == nullptr) return *this;
  const KerasObject object = read_keras_object(*found, owner_ + ": " + key);
  if (!object.config->empty())
    refuse(std::string(key) + " is a layer (" + object.class_name +
           "); only names of functions are accepted here: add the layer after this one");
  value = object.class_name == "linear" ? "" : object.class_name;
  return *this;
}

template <class T>
Fields& Fields::fixed(const char* key, const T& value) {
  write(key, value);
  const Json* found = find(key);
  if (found != nullptr && *found != Json(value))
    refuse(std::string(key) + " must be " + Json(value).dump() + ", found " + shown(*found));
  return *this;
}

Fields& Fields::only(const char* key, const char* value) {
  return fixed(key, std::string(value));
}
Fields& Fields::only(const char* key, bool value) {
  return fixed(key, value);
}
Fields& Fields::only(const char* key, double value) {
  return fixed(key, value);
}

Fields& Fields::only_null(const char* key) {
  write(key, nullptr);
  if (const Json* found = find(key))
    refuse(std::string(key) + " is not supported, found " + shown(*found));
  return *this;
}

Fields& Fields::ignored(const char* key) {
  find(key);
  return *this;
}

void Fields::finish() const {
  if (!reading()) return;
  for (const auto& [key, value] : source_->items())
    if (!asked_.contains(key) && !says_nothing(value))
      refuse("its config has " + key + " = " + shown(value) + ", which is not known");
}

Json shape_to_json(Shape shape) {
  Fields fields;
  fields.with("shape", shape);
  return fields.config()["shape"];
}

}  // namespace plimsoll
