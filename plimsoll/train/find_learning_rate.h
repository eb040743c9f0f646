// find_learning_rate(): tries rates from tiny to huge, one per step, and proposes one.
//
// The rate grows by the same factor after each step. While it is tiny the loss stays as it is, then
// it falls, and in the end it explodes:
//
//   loss  ────────╮           ╭
//                 ╰╮         ╭╯
//                  ╰──╮ ╭────╯
//                     ╰─╯
//   rate  1e-7   1e-3  │ 0.03    1
//                      ╰ the least loss; a tenth of that rate is proposed
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/train/model.h"

namespace plimsoll {

struct FindLearningRateOptions {
  double least = 1e-7, largest = 10;
  int64_t steps = 150;                     // at most; fewer if the loss explodes
  std::optional<int64_t> batch_size = {};  // 32, or that of the data
  std::string memory = {};                 // as in fit
  ReadingOptions reading = {};
};

struct TriedRate {
  double rate = 0;
  double loss = 0;    // of the batch
  double smooth = 0;  // a running mean of it
};

struct FoundLearningRate {
  std::optional<double> rate = {};  // none: the loss fell at no rate
  std::vector<TriedRate> trials = {};
  std::string how = {};  // in words
};

// The model is compiled, its optimizer has a number as its rate. Weights and optimizer are then as
// they were. InvalidArgument where a schedule decides, or where the options make no range.
FoundLearningRate find_learning_rate(Model& model, const Dataset& data,
                                     const FindLearningRateOptions& options = {});

}  // namespace plimsoll
