// The bias of a matmul, and the relu of a product, a convolution or a normalisation, are computed
// while the result is still in registers. The gradient of relu needs only its output, so the value
// before the relu is not needed.
#include <algorithm>
#include <utility>

#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/ops/convolution/convolution_fusion.h"
#include "plimsoll/ops/linear/matmul_epilogue.h"
#include "plimsoll/ops/normalization/normalization_parts.h"

namespace plimsoll {
namespace {

class EpilogueFusion {
 public:
  explicit EpilogueFusion(Program& program)
      : program_(program), makers_(program.makers()), uses_(program.use_counts()) {}

  void run() {
    for (size_t i = 0; i < program_.instructions.size(); ++i) {
      Instruction& instruction = program_.instructions[i];
      if (instruction.op->name() == "add") fuse_bias(instruction, static_cast<int>(i));
      if (instruction.op->name() == "relu") fuse_relu(instruction, static_cast<int>(i));
    }
    std::erase_if(program_.instructions, [](const Instruction& i) { return i.op == nullptr; });
  }

 private:
  // The maker of `value`, if it has no other output and the value has one reader; else null.
  Instruction* sole_maker(int value) {
    const int maker = makers_[static_cast<size_t>(value)];
    if (maker < 0 || uses_[static_cast<size_t>(value)] != 1) return nullptr;
    Instruction& found = program_.instructions[static_cast<size_t>(maker)];
    return found.op != nullptr && found.outputs.size() == 1 ? &found : nullptr;
  }

  // `producer` moves to the place of `consumer` and makes its output.
  void merge(Instruction& producer, OpPtr fused, Instruction& consumer, int position) {
    producer.op = std::move(fused);
    producer.outputs = consumer.outputs;
    makers_[static_cast<size_t>(consumer.outputs[0])] = position;
    consumer = std::exchange(producer, Instruction());
  }

  void fuse_bias(Instruction& add, int position) {
    const Shape& result = program_.spec(add.outputs[0]).shape;
    if (result.rank() < 2) return;
    for (size_t side : {0u, 1u}) {
      const int bias = add.inputs[1 - side];
      Instruction* product = sole_maker(add.inputs[side]);
      if (product == nullptr || program_.spec(add.inputs[side]).shape != result ||
          program_.spec(bias).shape != Shape{result.back()})
        continue;
      OpPtr fused = with_epilogue(*product->op, true, false);
      if (fused == nullptr || product->inputs.size() != 2) continue;
      product->inputs.push_back(bias);
      return merge(*product, std::move(fused), add, position);
    }
  }

  void fuse_relu(Instruction& relu, int position) {
    Instruction* producer = sole_maker(relu.inputs[0]);
    if (producer == nullptr) return;
    OpPtr fused = with_relu(*producer->op);
    if (fused == nullptr) fused = with_epilogue(*producer->op, false, true);
    if (fused == nullptr) fused = apply_with_relu(*producer->op);
    if (fused != nullptr) merge(*producer, std::move(fused), relu, position);
  }

  Program& program_;
  std::vector<int> makers_, uses_;
};

}  // namespace

void fuse_epilogues(Program& program) {
  EpilogueFusion(program).run();
}

}  // namespace plimsoll
