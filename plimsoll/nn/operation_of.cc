#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plimsoll/nn/keras_object.h"
#include "plimsoll/nn/operation.h"

namespace plimsoll {
namespace {

// Ops without attributes and the classes that say the same in Keras.
struct Counterpart {
  std::string_view op, module, class_name;
};

constexpr std::string_view kNumpy = "keras.src.ops.numpy", kNn = "keras.src.ops.nn",
                           kMath = "keras.src.ops.math", kCore = "keras.src.ops.core";

constexpr Counterpart kCounterparts[] = {
    {"abs", kNumpy, "Absolute"},
    {"add", kNumpy, "Add"},
    {"ceil", kNumpy, "Ceil"},
    {"cos", kNumpy, "Cos"},
    {"divide", kNumpy, "TrueDivide"},
    {"equal", kNumpy, "Equal"},
    {"erf", kMath, "Erf"},
    {"exp", kNumpy, "Exp"},
    {"expm1", kNumpy, "Expm1"},
    {"floor", kNumpy, "Floor"},
    {"greater", kNumpy, "Greater"},
    {"greater_equal", kNumpy, "GreaterEqual"},
    {"less", kNumpy, "Less"},
    {"less_equal", kNumpy, "LessEqual"},
    {"log", kNumpy, "Log"},
    {"log1p", kNumpy, "Log1p"},
    {"logical_and", kNumpy, "LogicalAnd"},
    {"logical_not", kNumpy, "LogicalNot"},
    {"logical_or", kNumpy, "LogicalOr"},
    {"maximum", kNumpy, "Maximum"},
    {"minimum", kNumpy, "Minimum"},
    {"multiply", kNumpy, "Multiply"},
    {"negative", kNumpy, "Negative"},
    {"not_equal", kNumpy, "NotEqual"},
    {"power", kNumpy, "Power"},
    {"reciprocal", kNumpy, "Reciprocal"},
    {"relu", kNn, "Relu"},
    {"rsqrt", kMath, "Rsqrt"},
    {"select", kNumpy, "Where"},
    {"sigmoid", kNn, "Sigmoid"},
    {"sign", kNumpy, "Sign"},
    {"sin", kNumpy, "Sin"},
    {"softplus", kNn, "Softplus"},
    {"sqrt", kNumpy, "Sqrt"},
    {"square", kNumpy, "Square"},
    {"stop_gradient", kCore, "StopGradient"},
    {"subtract", kNumpy, "Subtract"},
    {"tanh", kNumpy, "Tanh"},
};

constexpr int64_t kMostConstants = 4096;  // elements of a constant that a config may hold

// Numbers of a constant as lists in lists.
template <class T>
Json nested(const T*& next, const Shape& shape, int axis) {
  if (axis == shape.rank()) return *next++;
  Json list = Json::array();
  for (int64_t i = 0; i < shape[axis]; ++i) list.push_back(nested(next, shape, axis + 1));
  return list;
}

// A number, or a constant as Keras writes a tensor; null where it is too large for a config.
Json constant_json(const Tensor& constant) {
  if (constant.shape().elements() > kMostConstants) return {};
  Json value = visit_dtype(constant.dtype(), [&]<class T>(T) {
    const T* next = reinterpret_cast<const T*>(constant.data());
    return nested(next, constant.shape(), 0);
  });
  if (constant.rank() == 0) return value;
  return {{"class_name", "__tensor__"},
          {"config", {{"value", std::move(value)}, {"dtype", name_of(constant.dtype())}}}};
}

}  // namespace

std::optional<Layer> operation_of(const Op& op, const Node& node) {
  std::string_view name = op.name();
  if (name.starts_with("integer_")) name.remove_prefix(std::string_view("integer_").size());
  const auto found = std::ranges::find(kCounterparts, name, &Counterpart::op);
  if (found == std::end(kCounterparts)) return std::nullopt;
  int symbols = 0;
  Json args = Json::array();
  for (const Value& input : node.inputs) {
    if (input.node->symbolic) {
      args.push_back({{"__tensor__", symbols++}});
      continue;
    }
    if (input.node->variable != nullptr) return std::nullopt;
    args.push_back(constant_json(Tensor(input)));
    if (args.back().is_null()) return std::nullopt;
  }
  const std::string unique = unique_name(found->class_name);
  const Json object = keras_object(found->module, found->class_name, {{"name", unique}});
  const Json call = {{"args", std::move(args)}, {"kwargs", Json::object()}};
  return Layer(std::make_shared<OperationBody>(object, call, unique));
}

}  // namespace plimsoll
