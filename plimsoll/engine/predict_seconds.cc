#include "plimsoll/engine/predict_seconds.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace plimsoll {
namespace {

// The share of the machine's speed that an operation reaches, in computing and in passing over its
// inputs and outputs. If it passes over them more than once, the share is smaller.
struct Share {
  std::string_view op;
  double operations = 0.9, bytes = 1;
};
constexpr Share kDefault{""};
constexpr double kCallSeconds = 4e-6;  // threads begin and end together
constexpr std::array<Share, 20> kShares = {{
    {"attention", 0.65, 1},
    {"attention_gradient", 0.72, 1},
    {"batch_moments", 1, 0.6},
    {"batch_normalize_gradient", 1, 0.7},
    {"conv2d", 0.95, 1},
    {"conv2d_input_gradient", 0.92, 1},
    {"conv2d_kernel_gradient", 0.7, 0.8},
    {"conv2d_relu_max_pool", 0.42, 1},
    {"conv2d_relu_max_pool_input_gradient", 0.75, 1},
    {"conv2d_relu_max_pool_kernel_gradient", 0.75, 1},
    {"gru", 0.65, 1},
    {"gru_gradient", 0.8, 1},
    {"layer_normalize_gradient", 1, 0.75},
    {"lstm", 0.65, 1},
    {"lstm_gradient", 0.83, 1},
    {"max_pool2d", 1, 0.5},
    {"max_pool2d_gradient", 1, 0.4},
    {"simple_rnn", 0.65, 1},
    {"simple_rnn_gradient", 0.8, 1},
    {"softmax_cross_entropy", 1, 0.5},
}};

const Share& share_of(const Op& op) {
  const auto* found = std::ranges::find(kShares, op.name(), &Share::op);
  return found == kShares.end() ? kDefault : *found;
}

}  // namespace

double predict_seconds(const Program& program, const Instruction& instruction,
                       const MachineSpeed& speed) {
  if (instruction.op->is_view()) return 0;
  Specs in, out;
  double bytes = 0;
  for (const int v : instruction.inputs)
    bytes += static_cast<double>(in.emplace_back(program.spec(v)).bytes());
  for (const int v : instruction.outputs)
    bytes += static_cast<double>(out.emplace_back(program.spec(v)).bytes());
  const Share& share = share_of(*instruction.op);
  return kCallSeconds +
         instruction.op->operations(in, out) / (speed.operations_per_second * share.operations) +
         bytes / (speed.bytes_per_second * share.bytes);
}

double predict_seconds(const Program& program, const Instruction& instruction) {
  return predict_seconds(program, instruction, machine_speed());
}

}  // namespace plimsoll
