// ProfileWatch: measures how long each operation of a step takes. What it knows of an operation
// (name, layer, work) is learnt when the operation runs first, before its time is taken.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plimsoll/base/trace.h"
#include "plimsoll/engine/step_watch.h"
#include "plimsoll/record/step_profile.h"

namespace plimsoll {

// Of numbers that may be put in another order; 0 if there are none.
double median(std::vector<double>& of);

class ProfileWatch final : public StepWatch {
 public:
  // `network` is the name of the network, which layers are named from.
  explicit ProfileWatch(std::string network) : network_(std::move(network)) {}

  void before(const ShownInstruction& shown) override;
  void after(const ShownInstruction& shown) override;

  // Of all that was watched, in the order in which it first ran, for one of so many steps.
  std::vector<OperationProfile> take(int64_t steps);

 private:
  size_t row_of(const ShownInstruction& shown);

  std::string network_;
  std::unordered_map<const Instruction*, size_t> rows_;
  std::vector<OperationProfile> operations_;
  std::vector<std::vector<double>> seconds_;  // of each call, by operation
  size_t row_ = 0;
  double begin_ = 0;
  std::optional<TraceSpan> span_;
};

}  // namespace plimsoll
