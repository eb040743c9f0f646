// A convolution, its relu and the max pooling after it become one op, and so do their gradients:
// the tensor between them, by far the largest of a small CNN, is never in memory as a whole.
#include <algorithm>
#include <optional>

#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/ops/convolution/convolution_pooling.h"
#include "plimsoll/ops/convolution/pooling_fusion.h"

namespace plimsoll {
namespace {

class ConvolutionPoolingFusion {
 public:
  explicit ConvolutionPoolingFusion(Program& program)
      : program_(program),
        makers_(program.makers()),
        uses_(program.use_counts()),
        readers_(program.values.size()) {
    for (Instruction& instruction : program.instructions)
      for (int input : instruction.inputs) readers(input).push_back(&instruction);
  }

  void run() {
    for (Instruction& instruction : program_.instructions)
      if (const auto found = match(instruction)) fuse(*found);
    std::erase_if(program_.instructions, [](const Instruction& i) { return i.op == nullptr; });
  }

 private:
  // The instructions of one occurrence; the gradients' are null if nothing is trained.
  struct Match {
    Instruction *convolution = nullptr, *pooling = nullptr;
    Instruction *unpool = nullptr, *relu_gradient = nullptr;
    std::vector<Instruction*> gradients;  // of the convolution's kernel and input
    ConvolutionPooling attributes;
  };

  std::vector<Instruction*>& readers(int value) { return readers_[static_cast<size_t>(value)]; }

  bool is_read_by_instructions_only(int value) {
    return uses_[static_cast<size_t>(value)] == static_cast<int>(readers(value).size());
  }

  Instruction* sole_reader(int value, std::string_view name) {
    if (!is_read_by_instructions_only(value) || readers(value).size() != 1) return nullptr;
    return readers(value)[0]->op != nullptr && readers(value)[0]->op->name() == name
               ? readers(value)[0]
               : nullptr;
  }

  std::optional<Match> match(Instruction& pooling) {
    const auto options = pooling.op == nullptr ? std::nullopt : max_pool2d_options(*pooling.op);
    if (!options.has_value()) return std::nullopt;
    const int between = pooling.inputs[0], maker = makers_[static_cast<size_t>(between)];
    if (maker < 0) return std::nullopt;
    Match match;
    match.pooling = &pooling;
    match.convolution = &program_.instructions[static_cast<size_t>(maker)];
    if (match.convolution->op == nullptr) return std::nullopt;
    const auto convolution = conv2d_attributes(*match.convolution->op);
    if (!convolution.has_value() || !convolution->relu || !can_fuse(*convolution, *options))
      return std::nullopt;
    match.attributes = {convolution->options, *options, convolution->bias};
    if (!is_read_by_instructions_only(between)) return std::nullopt;
    const size_t count = readers(between).size();
    if (count == 1 || (count == 2 && match_gradients(between, match))) return match;
    return std::nullopt;
  }

  // The way back: the pooling's gradient, relu's, then nothing but the convolution's.
  bool match_gradients(int between, Match& match) {
    match.unpool = sole_reader(match.pooling->outputs[1], "max_pool2d_gradient");
    if (match.unpool == nullptr) return false;
    match.relu_gradient = sole_reader(match.unpool->outputs[0], "relu_gradient");
    if (match.relu_gradient == nullptr || match.relu_gradient->inputs[0] != between) return false;
    const int gradient = match.relu_gradient->outputs[0];
    match.gradients = readers(gradient);
    return is_read_by_instructions_only(gradient) &&
           std::all_of(match.gradients.begin(), match.gradients.end(), [&](Instruction* i) {
             return i->op != nullptr && i->inputs[1] == gradient &&
                    (i->op->name() == "conv2d_kernel_gradient" ||
                     i->op->name() == "conv2d_input_gradient");
           });
  }

  void fuse(const Match& match) {
    const int index = match.pooling->outputs[1];
    OpPtr fused = conv2d_relu_max_pool_op(match.attributes);
    if (match.unpool == nullptr) {
      constexpr bool kWithoutIndex[] = {true, false};
      fused = fused->pruned(kWithoutIndex);
      program_.values[static_cast<size_t>(index)].spec.shape = {0};
    }
    match.pooling->op = std::move(fused);
    match.pooling->inputs = match.convolution->inputs;
    match.convolution->op = nullptr;
    if (match.unpool == nullptr) return;
    const int dy = match.unpool->inputs[1];
    for (Instruction* gradient : match.gradients) {
      gradient->op = fused_gradient(*gradient, match.attributes);
      gradient->inputs = {gradient->inputs[0], index, dy};
    }
    match.unpool->op = match.relu_gradient->op = nullptr;
  }

  OpPtr fused_gradient(const Instruction& gradient, ConvolutionPooling attributes) const {
    const Shape& result = program_.spec(gradient.outputs[0]).shape;
    if (gradient.op->name() == "conv2d_input_gradient")
      return conv2d_relu_max_pool_input_gradient_op(attributes, {result[1], result[2]});
    attributes.bias = program_.spec(gradient.outputs[1]).shape != Shape{0};
    return conv2d_relu_max_pool_kernel_gradient_op(attributes, {result[0], result[1]});
  }

  Program& program_;
  std::vector<int> makers_, uses_;
  std::vector<std::vector<Instruction*>> readers_;
};

}  // namespace

void fuse_convolution_pooling(Program& program) {
  ConvolutionPoolingFusion(program).run();
}

}  // namespace plimsoll
