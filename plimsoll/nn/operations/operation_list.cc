#include "plimsoll/nn/operations/operation_list.h"

#include <algorithm>

#include "plimsoll/nn/operations/operation_activations.h"
#include "plimsoll/nn/operations/operation_arithmetic.h"
#include "plimsoll/nn/operations/operation_indexing.h"
#include "plimsoll/nn/operations/operation_layers.h"
#include "plimsoll/nn/operations/operation_movement.h"
#include "plimsoll/nn/operations/operation_reductions.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

template <Tensor (*function)(const Operand&)>
Tensors of_float(OperationCall& call) {
  return {function(call.float_tensor(0))};
}

const std::vector<OperationKind>& kinds() {
  static const std::vector<const char*> x = {"x"}, two = {"x1", "x2"}, list = {"xs"};
  static const std::vector<OperationKind> rows = {
      {"Abs", x, run_absolute},
      {"Absolute", x, run_absolute},
      {"Add", two, run_add},
      {"All", x, run_all},
      {"Amax", x, run_max},
      {"Amin", x, run_min},
      {"Any", x, run_any},
      {"Argmax", x, run_argmax},
      {"Argmin", x, run_argmin},
      {"Average", {"x", "weights"}, run_average, RangeEffect::keeps()},
      {"BroadcastTo", x, run_broadcast_to},
      {"Cast", x, run_cast},
      {"Ceil", x, of_float<ceil>},
      {"Celu", x, run_celu},
      {"Clip", x, run_clip},
      {"Concatenate", list, run_concatenate, RangeEffect::keeps()},
      {"Cos", x, of_float<cos>},
      {"CountNonzero", x, run_count_nonzero},
      {"Cumsum", x, run_cumsum},
      {"DepthToSpace", x, run_depth_to_space},
      {"Divide", two, run_divide},
      {"DivideNoNan", two, run_divide_no_nan},
      {"Dot", two, run_dot},
      {"DotProductAttention",
       {"query", "key", "value", "bias", "mask", "scale"},
       run_dot_product_attention},
      {"Einsum", {"0", "1", "2", "3"}, run_einsum},
      {"Elu", x, run_elu},
      {"Equal", two, run_equal},
      {"Erf", x, of_float<erf>},
      {"Exp", x, of_float<exp>},
      {"ExpandDims", x, run_expand_dims},
      {"Expm1", x, of_float<expm1>},
      {"Flip", x, run_flip},
      {"Floor", x, of_float<floor>},
      {"FloorDivide", two, run_floor_divide},
      {"FullLike", {"x", "fill_value"}, run_full_like},
      {"Gelu", x, run_gelu},
      {"GetItem", {"x", "key"}, run_get_item},
      {"Glu", x, run_glu},
      {"Greater", two, run_greater},
      {"GreaterEqual", two, run_greater_equal},
      {"HardShrink", x, run_hard_shrink},
      {"HardSigmoid", x, of_float<hard_sigmoid>},
      {"HardSilu", x, of_float<hard_silu>},
      {"HardTanh", x, of_float<hard_tanh>},
      {"LayerNorm", {"x", "gamma", "beta"}, run_layer_norm},
      {"LeakyRelu", x, run_leaky_relu},
      {"Less", two, run_less},
      {"LessEqual", two, run_less_equal},
      {"Log", x, of_float<log>},
      {"Log10", x, run_log10},
      {"Log1p", x, of_float<log1p>},
      {"Log2", x, run_log2},
      {"LogSigmoid", x, of_float<log_sigmoid>},
      {"LogSoftmax", x, run_log_softmax},
      {"Logaddexp", two, run_logaddexp},
      {"LogicalAnd", two, run_logical_and},
      {"LogicalNot", x, run_logical_not},
      {"LogicalOr", two, run_logical_or},
      {"LogicalXor", two, run_logical_xor},
      {"Logsumexp", x, run_logsumexp},
      {"Matmul", two, run_matmul},
      {"Max", x, run_max},
      {"Maximum", two, run_maximum},
      {"Mean", x, run_mean},
      {"Min", x, run_min},
      {"Minimum", two, run_minimum},
      {"Mish", x, of_float<mish>},
      {"Mod", two, run_mod},
      {"Moments", x, run_moments},
      {"Moveaxis", x, run_moveaxis},
      {"Multiply", two, run_multiply},
      {"Negative", x, run_negative},
      {"Norm", x, run_norm},
      {"Normalize", x, run_normalize},
      {"NotEqual", two, run_not_equal},
      {"OneHot", x, run_one_hot},
      {"OnesLike", x, run_ones_like},
      {"Outer", two, run_outer},
      {"Pad", {"x", "constant_values"}, run_pad},
      {"Power", two, run_power},
      {"Prod", x, run_prod},
      {"RMSNorm", {"x", "scale"}, run_rms_norm},
      {"Ravel", x, run_ravel},
      {"ReLU", x, run_relu},
      {"Reciprocal", x, of_float<reciprocal>},
      {"Relu", x, of_float<relu>},
      {"Relu6", x, of_float<relu6>},
      {"Repeat", x, run_repeat},
      {"Reshape", x, run_reshape, RangeEffect::keeps()},
      {"Resize", {"images"}, run_resize},
      {"Roll", x, run_roll},
      {"Round", x, run_round},
      {"Rsqrt", x, of_float<rsqrt>},
      {"Selu", x, of_float<selu>},
      {"Sigmoid", x, of_float<sigmoid>},
      {"Sign", x, run_sign},
      {"Silu", x, of_float<silu>},
      {"Sin", x, of_float<sin>},
      {"Slice", {"inputs", "start_indices"}, run_slice},
      {"SoftShrink", x, run_soft_shrink},
      {"Softmax", x, run_softmax},
      {"Softplus", x, of_float<softplus>},
      {"Softsign", x, of_float<softsign>},
      {"SpaceToDepth", x, run_space_to_depth},
      {"SparsePlus", x, of_float<sparse_plus>},
      {"SparseSigmoid", x, of_float<sparse_sigmoid>},
      {"Sparsemax", x, run_sparsemax},
      {"Split", x, run_split},
      {"Sqrt", x, of_float<sqrt>},
      {"Square", x, run_square},
      {"Squareplus", x, run_squareplus},
      {"Squeeze", x, run_squeeze},
      {"Stack", x, run_stack},
      {"Std", x, run_std},
      {"StopGradient", {"variable"}, run_stop_gradient},
      {"Subtract", two, run_subtract},
      {"Sum", x, run_sum},
      {"Swapaxes", x, run_swapaxes},
      {"Take", {"x", "indices"}, run_take},
      {"Tanh", x, of_float<tanh>},
      {"TanhShrink", x, of_float<tanh_shrink>},
      {"Threshold", x, run_threshold},
      {"Tile", x, run_tile},
      {"Transpose", x, run_transpose},
      {"TrueDivide", two, run_divide},
      {"Unstack", x, run_unstack},
      {"Var", x, run_var},
      {"Where", {"condition", "x1", "x2"}, run_where},
      {"ZerosLike", x, run_zeros_like},
  };
  return rows;
}

}  // namespace

std::span<const OperationKind> operation_list() {
  return kinds();
}

const OperationKind* find_operation(std::string_view class_name) {
  const auto found = std::ranges::find(operation_list(), class_name, &OperationKind::class_name);
  return found == operation_list().end() ? nullptr : &*found;
}

}  // namespace plimsoll
