// The ops of the engine as functions.
#include "plimsoll/ops/ops.h"

#include <nanobind/stl/array.h>

#include "plimsoll/base/error.h"
#include "python/bindings/arithmetic.h"

namespace plimsoll::python {
namespace {

Operand at(nb::handle x) {
  return Operand(to_tensor(x), caller());
}

// Axes as NumPy has them: None, a number or a list.
std::vector<int> axes_of(nb::handle axes) {
  if (axes.is_none()) return {};
  if (nb::isinstance<nb::int_>(axes)) return {nb::cast<int>(axes)};
  std::vector<int> list;
  for (const nb::handle axis : axes) list.push_back(nb::cast<int>(nb::int_(nb::borrow(axis))));
  return list;
}

void bind_elementwise(nb::module_& module) {
  const auto unary = [&](const char* name, Unary op) {
    module.def(
        name, [op](nb::handle x) { return op(at(x)); }, nb::arg("x"));
  };
  // Their results are fractions, whatever the argument is.
  const auto of_float = [&](const char* name, Unary op) {
    module.def(
        name, [op](nb::handle x) { return op(Operand(as_float(x), caller())); }, nb::arg("x"));
  };
  const auto two = [&](const char* name, Binary op) {
    module.def(
        name, [op](nb::handle a, nb::handle b) { return binary(op, a, b); }, nb::arg("a"),
        nb::arg("b"));
  };
  unary("negative", negative);
  unary("abs", abs);
  unary("sign", sign);
  unary("square", square);
  unary("floor", floor);
  unary("ceil", ceil);
  unary("round", round);
  unary("logical_not", logical_not);
  unary("stop_gradient", stop_gradient);
  of_float("sqrt", sqrt);
  of_float("rsqrt", rsqrt);
  of_float("reciprocal", reciprocal);
  of_float("exp", exp);
  of_float("expm1", expm1);
  of_float("log", log);
  of_float("log1p", log1p);
  of_float("sin", sin);
  of_float("cos", cos);
  of_float("tanh", tanh);
  of_float("sigmoid", sigmoid);
  of_float("softplus", softplus);
  of_float("erf", erf);
  module.def(
      "relu", [](nb::handle x) { return relu(at(x)); }, nb::arg("x"));
  two("add", add);
  two("subtract", subtract);
  two("multiply", multiply);
  two("power", power);
  two("maximum", maximum);
  two("minimum", minimum);
  two("equal", equal);
  two("not_equal", not_equal);
  two("less", less);
  two("less_equal", less_equal);
  two("greater", greater);
  two("greater_equal", greater_equal);
  two("logical_and", logical_and);
  two("logical_or", logical_or);
  module.def("divide", [](nb::handle a, nb::handle b) {
    return divide(Operand(as_float(a), caller()), Operand(as_float(b), caller()));
  });
  module.def("select", [](nb::handle condition, nb::handle a, nb::handle b) {
    const auto [left, right] = matched(a, b);
    return select(Operand(to_tensor(condition, DType::boolean), caller()), left, right);
  });
  module.def("clip", [](nb::handle x, double low, double high) { return clip(at(x), low, high); });
  module.def("cast", [](nb::handle x, nb::handle dtype) {
    return to_dtype(to_tensor(x), dtype_of(dtype));
  });
  module.def("activation",
             [](const std::string& name, nb::handle x) { return activation(name)(to_tensor(x)); });
}

void bind_reductions(nb::module_& module) {
  using Reduce = Tensor (*)(const Operand&, std::vector<int>, bool);
  const auto reduce = [&](const char* name, Reduce op) {
    module.def(
        name,
        [op](nb::handle x, nb::handle axis, bool keepdims) {
          return op(at(x), axes_of(axis), keepdims);
        },
        nb::arg("x"), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false);
  };
  reduce("sum", sum);
  reduce("mean", mean);
  reduce("max", max);
  reduce("min", min);
  reduce("prod", prod);
  module.def(
      "argmax", [](nb::handle x, int axis) { return argmax(at(x), axis); }, nb::arg("x"),
      nb::arg("axis") = -1);
  module.def(
      "softmax",
      [](nb::handle x, int axis) { return softmax(Operand(as_float(x), caller()), axis); },
      nb::arg("x"), nb::arg("axis") = -1);
  module.def(
      "log_softmax",
      [](nb::handle x, int axis) { return log_softmax(Operand(as_float(x), caller()), axis); },
      nb::arg("x"), nb::arg("axis") = -1);
  module.def("sparse_softmax_cross_entropy", [](nb::handle logits, nb::handle labels) {
    return sparse_softmax_cross_entropy(at(logits), at(labels));
  });
  module.def("softmax_cross_entropy", [](nb::handle logits, nb::handle targets) {
    return softmax_cross_entropy(at(logits), at(targets));
  });
}

// -1 in a shape is what is left.
Shape resolved(Shape shape, int64_t elements) {
  int64_t known = 1, unknown = -1;
  for (int i = 0; i < shape.rank(); ++i)
    if (shape[i] < 0)
      unknown = i;
    else
      known *= shape[i];
  if (unknown >= 0 && known > 0) shape[static_cast<int>(unknown)] = elements / known;
  return shape;
}

void bind_movement(nb::module_& module) {
  module.def("reshape", [](nb::handle x, nb::handle shape) {
    const Operand operand = at(x);
    return reshape(operand, resolved(to_shape(shape), operand.tensor.shape().elements()));
  });
  module.def("expand_dims", [](nb::handle x, int axis) { return expand_dims(at(x), axis); });
  module.def("squeeze", [](nb::handle x, int axis) { return squeeze(at(x), axis); });
  module.def(
      "transpose", [](nb::handle x, nb::handle axes) { return transpose(at(x), axes_of(axes)); },
      nb::arg("x"), nb::arg("permutation") = nb::none());
  module.def("broadcast_to",
             [](nb::handle x, nb::handle shape) { return broadcast_to(at(x), to_shape(shape)); });
  module.def(
      "concatenate",
      [](nb::handle parts, int axis) {
        return concatenate(promoted(to_tensors(parts)), axis, caller());
      },
      nb::arg("parts"), nb::arg("axis") = -1);
  module.def("slice", [](nb::handle x, std::vector<int64_t> begin, std::vector<int64_t> size) {
    return slice(at(x), std::move(begin), std::move(size));
  });
  module.def("strided_slice", [](nb::handle x, std::vector<int64_t> begin,
                                 std::vector<int64_t> size, std::vector<int64_t> step) {
    return strided_slice(at(x), std::move(begin), std::move(size), std::move(step));
  });
  module.def("flip", [](nb::handle x, nb::handle axes) { return flip(at(x), axes_of(axes)); });
  module.def(
      "pad",
      [](nb::handle x, std::vector<std::pair<int64_t, int64_t>> paddings, double value) {
        return pad(at(x), std::move(paddings), value);
      },
      nb::arg("x"), nb::arg("paddings"), nb::arg("value") = 0.0);
  module.def("gather", [](nb::handle x, nb::handle indices) { return gather(at(x), at(indices)); });
  module.def("take", [](nb::handle x, nb::handle indices, int axis) {
    return take(at(x), at(indices), axis);
  });
  module.def("scatter_add", [](nb::handle updates, nb::handle indices, int64_t rows) {
    return scatter_add(at(updates), at(indices), rows);
  });
  module.def("one_hot",
             [](nb::handle indices, int64_t depth) { return one_hot(at(indices), depth); });
}

void bind_linear(nb::module_& module) {
  module.def(
      "matmul",
      [](nb::handle a, nb::handle b, bool transpose_a, bool transpose_b) {
        return matmul(Operand(as_float(a), caller()), Operand(as_float(b), caller()),
                      {.transpose_a = transpose_a, .transpose_b = transpose_b});
      },
      nb::arg("a"), nb::arg("b"), nb::arg("transpose_a") = false, nb::arg("transpose_b") = false);
  module.def("einsum", [](const std::string& equation, nb::handle operands) {
    return einsum(equation, promoted(to_tensors(operands)), caller());
  });
  using Two = std::array<int64_t, 2>;
  module.def(
      "conv2d",
      [](nb::handle x, nb::handle kernel, Two strides, const std::string& padding, Two dilation,
         int64_t groups) {
        return conv2d(
            at(x), at(kernel),
            ConvolutionOptions{.strides = strides,
                               .padding = padding == "same" ? Padding::same : Padding::valid,
                               .dilation_rate = dilation,
                               .groups = groups});
      },
      nb::arg("x"), nb::arg("kernel"), nb::arg("strides") = Two{1, 1}, nb::arg("padding") = "valid",
      nb::arg("dilation_rate") = Two{1, 1}, nb::arg("groups") = 1);
  const auto pooling = [&](const char* name, Tensor (*op)(const Operand&, const PoolingOptions&)) {
    module.def(
        name,
        [op](nb::handle x, Two size, Two strides, const std::string& padding) {
          return op(at(x), {.pool_size = size,
                            .strides = strides,
                            .padding = padding == "same" ? Padding::same : Padding::valid});
        },
        nb::arg("x"), nb::arg("pool_size") = Two{2, 2}, nb::arg("strides") = Two{0, 0},
        nb::arg("padding") = "valid");
  };
  pooling("max_pool2d", max_pool2d);
  pooling("average_pool2d", average_pool2d);
}

}  // namespace

void bind_ops(nb::module_& module) {
  bind_elementwise(module);
  bind_reductions(module);
  bind_movement(module);
  bind_linear(module);
}

}  // namespace plimsoll::python
