#include "plimsoll/train/memory/picture_step.h"

#include <algorithm>
#include <map>
#include <string>

#include "plimsoll/plan/lifetimes.h"
#include "plimsoll/train/memory/plan_layers.h"

namespace plimsoll {
namespace {

using Kind = StepPicture::Kind;

class PictureMaker {
 public:
  PictureMaker(const CompiledStep& step, const std::string& root)
      : program_(step.program()), problem_(step.problem()), plan_(step.plan()), root_(root) {}

  StepPicture make() {
    const plan::Lifetimes lives = plan::find_lifetimes(problem_, plan_.order);
    find_kinds();
    picture_.arena_bytes = plan_.arena_bytes;
    add_moments(lives);
    add_buffers(lives);
    return std::move(picture_);
  }

 private:
  int32_t name(const std::string& text) {
    const auto [found, is_new] = places_.emplace(text, static_cast<int32_t>(picture_.names.size()));
    if (is_new) picture_.names.push_back(text);
    return found->second;
  }
  int32_t layer_of(const Instruction& instruction) {
    const std::string* scope = instruction.scope;
    return name(scope == nullptr || scope->empty() ? "(step)" : without_root(*scope, root_));
  }
  int32_t op_of(const Instruction& instruction) {
    const std::string op(instruction.op->name());
    return name(instruction.gradient_of.empty()
                    ? op
                    : op + " (gradient of " + std::string(instruction.gradient_of) + ")");
  }

  // Values that depend on gradients without being of the backward pass belong to the update.
  void find_kinds() {
    kinds_.assign(problem_.values.size(), Kind::activation);
    for (const int32_t task : plan_.order) {
      const Instruction& instruction = program_.instructions[plan::at(task)];
      const bool is_backward = !instruction.gradient_of.empty();
      const bool is_update = !is_backward && std::ranges::any_of(instruction.inputs, [&](int in) {
        return kinds_[static_cast<size_t>(in)] != Kind::activation;
      });
      if (is_update)
        for (const int in : instruction.inputs)
          if (kinds_[static_cast<size_t>(in)] == Kind::gradient)
            kinds_[static_cast<size_t>(in)] = Kind::weight_gradient;
      for (const int out : instruction.outputs)
        kinds_[static_cast<size_t>(out)] = is_backward ? Kind::gradient
                                           : is_update ? Kind::update
                                                       : Kind::activation;
    }
  }

  void add_moments(const plan::Lifetimes& lives) {
    std::vector<int64_t> change(plan_.order.size() + 1, 0);
    for (const plan::Buffer& buffer : lives.offsets.buffers) {
      change[plan::at(buffer.first)] += buffer.bytes;
      change[plan::at(buffer.last) + 1] -= buffer.bytes;
    }
    int64_t live = 0;
    for (size_t t = 0; t < plan_.order.size(); ++t) {
      const int32_t task = plan_.order[t];
      const Instruction& instruction = program_.instructions[plan::at(task)];
      live += change[t];
      if (task == plan_.peak_task) picture_.peak = static_cast<int32_t>(t);
      picture_.moments.push_back({op_of(instruction), layer_of(instruction), live,
                                  problem_.tasks[plan::at(task)].seconds});
    }
  }

  // A buffer is named by the first value that is made in it.
  void add_buffers(const plan::Lifetimes& lives) {
    std::vector<bool> is_named(lives.offsets.buffers.size(), false);
    const auto add = [&](int32_t buffer, Kind kind, const Instruction& instruction,
                         const std::string& shape, int64_t offset) {
      if (buffer < 0 || is_named[plan::at(buffer)]) return;
      is_named[plan::at(buffer)] = true;
      const plan::Buffer& life = lives.offsets.buffers[plan::at(buffer)];
      picture_.buffers.push_back({kind, op_of(instruction), layer_of(instruction), name(shape),
                                  offset, life.bytes, life.first, life.last});
    };
    for (const int32_t task : plan_.order) {
      const Instruction& instruction = program_.instructions[plan::at(task)];
      for (const int out : instruction.outputs) {
        const auto value = static_cast<size_t>(out);
        add(lives.value_buffers[value], kinds_[value], instruction,
            program_.values[value].spec.to_string(), plan_.value_offsets[value]);
      }
      add(lives.scratch_buffers[plan::at(task)], Kind::scratch, instruction, "scratch",
          plan_.scratch_offsets[plan::at(task)]);
    }
  }

  const Program& program_;
  const plan::StepProblem& problem_;
  const plan::StepPlan& plan_;
  const std::string& root_;
  std::vector<Kind> kinds_;  // per value
  std::map<std::string, int32_t> places_;
  StepPicture picture_;
};

}  // namespace

StepPicture picture_of(const CompiledStep& step, const std::string& root) {
  return PictureMaker(step, root).make();
}

}  // namespace plimsoll
