// Python's objects as JSON and back, for configs.
#include <nlohmann/json.hpp>

#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

Json array_of(nb::handle sequence) {
  Json array = Json::array();
  for (const nb::handle element : sequence) array.push_back(to_json(element));
  return array;
}

Json object_of(nb::handle dict) {
  Json object = Json::object();
  for (const auto& [key, value] : nb::borrow<nb::dict>(dict))
    object[nb::cast<std::string>(nb::str(key))] = to_json(value);
  return object;
}

}  // namespace

Json to_json(nb::handle object) {
  if (object.is_none()) return nullptr;
  if (nb::isinstance<nb::bool_>(object)) return nb::cast<bool>(object);
  if (nb::isinstance<nb::int_>(object)) return nb::cast<int64_t>(object);
  if (nb::isinstance<nb::float_>(object)) return nb::cast<double>(object);
  if (nb::isinstance<nb::str>(object)) return nb::cast<std::string>(object);
  if (nb::isinstance<nb::dict>(object)) return object_of(object);
  if (nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object))
    return array_of(object);
  if (nb::hasattr(object, "tolist")) return to_json(object.attr("tolist")());
  const auto type = nb::cast<std::string>(object.type().attr("__name__"));
  throw nb::type_error(
      ("a setting is of the type " + type + ", expected a number, a text, a list or a dict")
          .c_str());
}

nb::object from_json(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return nb::bool_(json.get<bool>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return nb::int_(json.get<int64_t>());
    case Json::value_t::number_float:
      return nb::float_(json.get<double>());
    case Json::value_t::string:
      return nb::str(json.get_ref<const std::string&>().c_str());
    case Json::value_t::array: {
      nb::list list;
      for (const Json& element : json) list.append(from_json(element));
      return list;
    }
    case Json::value_t::object: {
      nb::dict dict;
      for (const auto& [key, value] : json.items()) dict[key.c_str()] = from_json(value);
      return dict;
    }
    default:
      return nb::none();
  }
}

}  // namespace plimsoll::python
