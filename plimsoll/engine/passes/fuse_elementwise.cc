// Chains of elementwise ops become one op that passes over memory once.
#include <algorithm>

#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"

namespace plimsoll {
namespace {

using kernels::ElementwiseProgram;

class ElementwiseFusion {
 public:
  explicit ElementwiseFusion(Program& program)
      : program_(program), makers_(program.makers()), uses_(program.use_counts()) {}

  void run() {
    for (Instruction& consumer : program_.instructions) {
      const auto* op = dynamic_cast<const ElementwiseOp*>(consumer.op.get());
      if (op == nullptr || consumer.outputs.size() != 1) continue;
      ElementwiseProgram fused = op->program();
      bool changed = false;
      while (absorb_one(consumer, fused)) changed = true;
      if (changed) consumer.op = std::make_shared<FusedElementwise>(std::move(fused));
    }
    std::erase_if(program_.instructions, [](const Instruction& i) { return i.op == nullptr; });
  }

 private:
  // Draws the maker of one input into the consumer, if nothing else reads that input.
  bool absorb_one(Instruction& consumer, ElementwiseProgram& fused) {
    for (size_t i = 0; i < consumer.inputs.size(); ++i) {
      Instruction* producer = absorbable(consumer.inputs[i], program_.spec(consumer.outputs[0]));
      if (producer == nullptr) continue;
      const auto& op = static_cast<const ElementwiseOp&>(*producer->op);
      auto joined = kernels::inline_input(fused, static_cast<int>(i), op.program());
      if (!joined.has_value()) continue;
      fused = std::move(*joined);
      const auto at = consumer.inputs.erase(consumer.inputs.begin() + static_cast<ptrdiff_t>(i));
      consumer.inputs.insert(at, producer->inputs.begin(), producer->inputs.end());
      producer->op = nullptr;
      share_inputs(consumer, fused);
      return true;
    }
    return false;
  }

  Instruction* absorbable(int value, const Spec& result) {
    const int maker = makers_[static_cast<size_t>(value)];
    if (maker < 0 || uses_[static_cast<size_t>(value)] != 1) return nullptr;
    Instruction& producer = program_.instructions[static_cast<size_t>(maker)];
    const bool fits = producer.outputs.size() == 1 && program_.spec(value).shape == result.shape &&
                      dynamic_cast<const ElementwiseOp*>(producer.op.get()) != nullptr;
    return fits ? &producer : nullptr;
  }

  // A tensor that is now an input twice is read once.
  void share_inputs(Instruction& consumer, ElementwiseProgram& fused) {
    for (size_t i = 0; i < consumer.inputs.size(); ++i)
      for (size_t j = consumer.inputs.size() - 1; j > i; --j) {
        if (consumer.inputs[i] != consumer.inputs[j]) continue;
        fused = kernels::share_input(fused, static_cast<int>(i), static_cast<int>(j));
        consumer.inputs.erase(consumer.inputs.begin() + static_cast<ptrdiff_t>(j));
        --uses_[static_cast<size_t>(consumer.inputs[i])];
      }
  }

  Program& program_;
  std::vector<int> makers_, uses_;
};

}  // namespace

void fuse_elementwise(Program& program) {
  ElementwiseFusion(program).run();
}

}  // namespace plimsoll
