#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/operations/operation.h"
#include "plimsoll/ops/op_settings.h"

namespace plimsoll {
namespace {

// Ops without attributes and Keras's classes for them.
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

// A number, or a constant as Keras writes a tensor; null if it is too large for a config.
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

// Keras's name of an op, its settings, and how it takes its arguments.
struct Said {
  std::string_view module, class_name;
  Json settings = Json::object();
  bool in_a_list = false;        // one argument, a list of tensors
  Json further = Json::array();  // arguments after the tensors
};

Json axes_json(const std::vector<int>& axes) {
  if (axes.empty()) return nullptr;
  return axes.size() == 1 ? Json(axes[0]) : Json(axes);
}

std::optional<Said> said_reduction(const Op& op) {
  constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
      {"max", "Max"}, {"mean", "Mean"}, {"min", "Min"}, {"prod", "Prod"}, {"sum", "Sum"}};
  const auto settings = reduction_settings(op);
  if (!settings) return std::nullopt;
  for (const auto& [name, class_name] : kClasses)
    if (op.name() == name)
      return Said{kNumpy,
                  class_name,
                  {{"axis", axes_json(settings->axes)}, {"keepdims", settings->keepdims}}};
  return std::nullopt;
}

// x[begin : begin + size, …]
Json slices_json(const SliceBox& box) {
  Json slices = Json::array();
  for (size_t i = 0; i < box.begin.size(); ++i) {
    const bool to_end = box.size[i] == -1;
    const Json start = box.begin[i] == 0 ? Json() : Json(box.begin[i]);
    const Json stop = to_end ? Json() : Json(box.begin[i] + box.size[i]);
    slices.push_back({{"class_name", "__slice__"},
                      {"config", {{"start", start}, {"stop", stop}, {"step", nullptr}}}});
  }
  return slices;
}

std::optional<Said> said_movement(const Op& op) {
  if (const auto axis = concatenate_axis(op))
    return Said{kNumpy, "Concatenate", {{"axis", *axis}}, true};
  if (const auto axes = transpose_permutation(op))
    return Said{kNumpy, "Transpose", {{"axes", *axes}}};
  if (const auto shape = reshape_target(op))
    return Said{
        kNumpy, "Reshape", {{"newshape", std::vector<int64_t>(shape->begin(), shape->end())}}};
  if (const auto box = slice_box(op))
    return Said{kNumpy, "GetItem", Json::object(), false, Json::array({slices_json(*box)})};
  return std::nullopt;
}

std::optional<Said> said(const Op& op, const Node& node) {
  std::string_view name = op.name();
  if (name.starts_with("integer_")) name.remove_prefix(std::string_view("integer_").size());
  const auto found = std::ranges::find(kCounterparts, name, &Counterpart::op);
  if (found != std::end(kCounterparts)) return Said{found->module, found->class_name};
  if (const auto axis = softmax_axis(op))
    return Said{kNn, name == "softmax" ? "Softmax" : "LogSoftmax", {{"axis", *axis}}};
  if (const auto bounds = clip_bounds(op))
    return Said{kNumpy, "Clip", {{"x_min", bounds->first}, {"x_max", bounds->second}}};
  if (name.starts_with("cast"))
    return Said{kCore, "Cast", {{"dtype", name_of(node.spec(0).dtype)}}};
  if (const auto options = matmul_options(op);
      options && !options->transpose_a && !options->transpose_b)
    return Said{kNumpy, "Matmul"};
  if (auto reduction = said_reduction(op)) return reduction;
  return said_movement(op);
}

}  // namespace

std::optional<Layer> operation_of(const Op& op, const Node& node) {
  const std::optional<Said> known = said(op, node);
  if (!known) return std::nullopt;
  int symbols = 0;
  Json tensors = Json::array();
  for (const Value& input : node.inputs) {
    if (input.node->symbolic) {
      tensors.push_back({{"__tensor__", symbols++}});
      continue;
    }
    if (input.node->variable != nullptr) return std::nullopt;
    tensors.push_back(constant_json(Tensor(input)));
    if (tensors.back().is_null()) return std::nullopt;
  }
  Json args = known->in_a_list ? Json::array({std::move(tensors)}) : std::move(tensors);
  for (const Json& more : known->further) args.push_back(more);
  const std::string unique = unique_name(known->class_name);
  Json config = {{"name", unique}};
  config.update(known->settings);
  const Json object = keras_object(known->module, known->class_name, std::move(config));
  const Json call = {{"args", std::move(args)}, {"kwargs", Json::object()}};
  return Layer(std::make_shared<OperationBody>(object, call, unique));
}

}  // namespace plimsoll
