// StatisticsWatch: collects the StepStatistics of a training step while it runs. What it looks at
// is what the step computes anyway: the outputs of layers right after they are made, gradients
// where the optimizer checks that they are finite, weights before and after.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/guards/statistics/number_summary.h"
#include "plimsoll/guards/statistics/sampled_steps.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/record/step_statistics.h"

namespace plimsoll {

// What watching a training of the network will take, and a line of a log that is made of it.
int64_t statistics_bytes(const Network& network);

class StatisticsWatch final : public StepWatch {
 public:
  // The network is built. `optimizer` is the one that trains it.
  StatisticsWatch(const Network& network, const Optimizer& optimizer);

  // A compiled step, and how often a batch runs it.
  struct RunOfStep {
    const CompiledStep* step;
    int64_t times = 1;
  };
  // Learns what to look at in these steps, so that nothing is allocated while they run (a step that
  // is not known is learnt when it runs first), and what a sample of them costs.
  SampleCost prepare(std::span<const RunOfStep> batch);

  // Before a batch that is to be looked at.
  void begin(bool with_histograms);
  // While it runs. Of a batch in parts, layers are those of its first part.
  void after(const ShownInstruction& shown) override;
  // After it; valid until the next begin(). The caller knows step, epoch, loss and learning rate.
  StepStatistics& end();

 private:
  // What to look at after an instruction.
  struct Sight {
    int layer = -1;
    std::vector<int> gradients = {};  // the variables whose gradients are its inputs
  };
  struct KnownStep {
    const Program* program = nullptr;
    std::vector<Sight> sights = {};  // one per instruction
  };
  struct WatchedLayer {
    const std::string* scope = nullptr;
    LayerStatistics statistics = {};
    bool is_seen = false;
  };
  struct WatchedVariable {
    Variable variable;
    VariableStatistics statistics = {};
    std::vector<float> before = {};  // some of its numbers, as they were before the batch
  };

  void add_weights(const LayerBody& layer, const std::string& path);
  void add_weight(const Variable& weight, const std::string& path);
  const KnownStep& learn(const Program& program);
  const Sight& sight_of(const ShownInstruction& shown);
  int layer_of(const Program& program, size_t instruction, const std::string& path);
  void find_gradients(const Program& program, std::vector<Sight>& sights) const;
  void look_at_layer(const ShownInstruction& shown, WatchedLayer& layer);
  void look_at_gradient(const float* gradient, WatchedVariable& of) const;
  void look_at_weights(WatchedVariable& of) const;

  std::string network_;  // its name, with which the scopes of its layers begin
  Optimizer optimizer_;
  double gradient_scale_ = 1;  // removes the scale of the loss
  std::map<std::string, std::string> activations_;
  std::vector<KnownStep> steps_;
  std::vector<WatchedLayer> layers_;
  std::vector<WatchedVariable> variables_;
  std::vector<int> trained_;    // variables, in the optimizer's order
  std::vector<uint32_t> seen_;  // one number per channel of the widest layer
  bool with_histograms_ = false;
  StepStatistics result_;  // is kept, so that the next one finds its memory
};

}  // namespace plimsoll
