#include "plimsoll/nn/operations/operation_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

const Json& nothing() {
  static const Json null;
  return null;
}

const Json& part(const Json& node, const char* key) {
  const auto found = node.find(key);
  return found == node.end() ? nothing() : *found;
}

// A larger kind includes the smaller ones.
int kind_of(DType dtype) {
  constexpr DType kBySize[] = {DType::boolean, DType::uint8, DType::int32, DType::int64,
                               DType::float32};
  return static_cast<int>(std::ranges::find(kBySize, dtype) - std::begin(kBySize));
}

DType larger(DType a, DType b) {
  return kind_of(a) < kind_of(b) ? b : a;
}

// The dtype that a Python number needs next to a tensor.
DType weak_dtype(const Json& number) {
  return number.is_boolean() ? DType::boolean
                             : (number.is_number_float() ? DType::float32 : DType::int32);
}

std::string shown(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60);
}

bool is_plain_number(const Json& json) {
  return json.is_number() || json.is_boolean();
}

double value_of(const Json& number) {
  return number.is_boolean() ? (number.get<bool>() ? 1 : 0) : number.get<double>();
}

// The numbers of lists in lists, whose lengths are gathered in `shape`.
void flatten(const Json& json, int depth, Shape& shape, std::vector<double>& values,
             const Fields& fields) {
  if (is_plain_number(json) && depth == shape.rank()) return values.push_back(value_of(json));
  if (!json.is_array() || depth >= Shape::kMaxRank)
    fields.refuse("a constant must be numbers in lists of equal lengths");
  const auto size = static_cast<int64_t>(json.size());
  if (depth == shape.rank() && values.empty()) shape.push_back(size);
  if (depth >= shape.rank() || shape[depth] != size)
    fields.refuse("a constant must be numbers in lists of equal lengths");
  for (const Json& element : json) flatten(element, depth + 1, shape, values, fields);
}

// Python's numbers in a list are float32 if one is a float.
DType dtype_of_numbers(const Json& json) {
  if (!json.is_array()) return weak_dtype(json);
  DType dtype = DType::boolean;
  for (const Json& element : json) dtype = larger(dtype, dtype_of_numbers(element));
  return dtype;
}

Tensor constant_of(const Json& json, DType dtype, const Fields& fields) {
  Shape shape;
  std::vector<double> values;
  flatten(json, 0, shape, values, fields);
  auto storage = std::make_shared<Storage>(Spec{dtype, shape}.bytes());
  visit_dtype(dtype, [&]<class T>(T) {
    T* out = reinterpret_cast<T*>(storage->data());
    for (size_t i = 0; i < values.size(); ++i) out[i] = static_cast<T>(values[i]);
  });
  return wrap(std::move(storage), {dtype, shape});
}

}  // namespace

Tensor to_dtype(const Tensor& x, DType dtype) {
  return x.dtype() == dtype ? x : cast(x, dtype);
}

Tensor part_of(const Tensor& x, int axis, int64_t begin, int64_t size) {
  std::vector<int64_t> first(static_cast<size_t>(x.rank()), 0), count(first.size(), -1);
  first[static_cast<size_t>(axis)] = begin;
  count[static_cast<size_t>(axis)] = size;
  return slice(x, std::move(first), std::move(count));
}

DType dtype_named(const std::string& name, const Fields& fields) {
  if (name == "bool") return DType::boolean;
  if (name == "uint8") return DType::uint8;
  if (name == "int8" || name == "int16" || name == "uint16" || name == "int32") return DType::int32;
  if (name == "uint32" || name == "int64" || name == "uint64") return DType::int64;
  if (name.starts_with("float") || name == "bfloat16") return DType::float32;
  fields.refuse("the dtype '" + name + "' is not known");
}

Tensors promoted(const Tensors& tensors) {
  DType dtype = DType::boolean;
  for (const Tensor& tensor : tensors) dtype = larger(dtype, tensor.dtype());
  Tensors same;
  for (const Tensor& tensor : tensors) same.push_back(to_dtype(tensor, dtype));
  return same;
}

OperationCall::OperationCall(const Json& config, const Json& node,
                             const std::vector<const char*>& names, const Tensors& inputs,
                             const std::string& owner)
    : settings_(config, owner), inputs_(inputs) {
  settings_.ignored("name");
  const Json &args = part(node, "args"), &kwargs = part(node, "kwargs");
  if (args.size() > names.size())
    settings_.refuse(fmt::format("expected {} arguments, found {}", names.size(), args.size()));
  size_t named = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool by_name = i >= args.size() && kwargs.is_object() && kwargs.contains(names[i]);
    named += by_name;
    arguments_.push_back(i < args.size() ? &args[i] : by_name ? &kwargs[names[i]] : &nothing());
  }
  if (kwargs.is_object() && named < kwargs.size())
    settings_.refuse("has an argument that is not known: " + kwargs.dump());
}

bool OperationCall::has(int i) const {
  return !argument(i).is_null();
}

bool OperationCall::argument_is_number(int i) const {
  return is_plain_number(argument(i));
}

double OperationCall::number(int i) const {
  if (!argument_is_number(i)) settings_.refuse("expected a number, found " + shown(argument(i)));
  return value_of(argument(i));
}

Tensor OperationCall::read_tensor(const Json& json) const {
  if (is_plain_number(json)) return scalar(value_of(json), weak_dtype(json));
  if (json.is_array()) return constant_of(json, dtype_of_numbers(json), settings_);
  if (json.is_object() && json.contains("__tensor__"))
    return inputs_[json["__tensor__"].get<size_t>()];
  if (json.is_object() && json.contains("config")) {
    const Json& config = json["config"];
    if (config.contains("value") && config.contains("dtype") && config["dtype"].is_string())
      return constant_of(config["value"],
                         dtype_named(config["dtype"].get<std::string>(), settings_), settings_);
  }
  settings_.refuse("expected a tensor or a number, found " + shown(json));
}

Tensor OperationCall::tensor(int i) const {
  return read_tensor(argument(i));
}

Tensor OperationCall::float_tensor(int i) const {
  return as_float(tensor(i));
}

Tensors OperationCall::tensors(int i) const {
  if (!argument(i).is_array()) return {tensor(i)};
  Tensors found;
  for (const Json& element : argument(i)) found.push_back(read_tensor(element));
  return found;
}

Tensors OperationCall::promoted(std::initializer_list<int> arguments) const {
  DType strong = DType::boolean, weak = DType::boolean;
  for (const int i : arguments)
    if (is_plain_number(argument(i)))
      weak = larger(weak, weak_dtype(argument(i)));
    else
      strong = larger(strong, tensor(i).dtype());
  // A Python int fits into any integer type, uint8 too.
  const bool fits = weak == DType::int32 && is_integer(strong);
  const DType dtype = fits ? strong : larger(strong, weak);
  Tensors same;
  for (const int i : arguments)
    same.push_back(is_plain_number(argument(i)) ? scalar(value_of(argument(i)), dtype)
                                                : to_dtype(tensor(i), dtype));
  return same;
}

}  // namespace plimsoll
