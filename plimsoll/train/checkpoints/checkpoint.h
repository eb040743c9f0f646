// Checkpoint: the state of a loop that is written by hand, in a folder. The same program, started
// again after a kill, goes on bit for bit:
//
//   Checkpoint checkpoint("runs/loop", model, optimizer);
//   checkpoint.over(data, {.batch_size = 32, .shuffle = true});
//   const LoopPosition at = checkpoint.restore();
//   for (int64_t epoch = at.epoch; epoch < epochs; ++epoch) {
//     const auto batches = checkpoint.batches(epoch);
//     for (auto batch = batches.begin(); batch != batches.end(); ++batch) {
//       …
//       checkpoint.save_now_and_then({epoch, batch.number() + 1});
//     }
//   }
//   checkpoint.save({epochs, 0});
//
// A loop that trains several models, as that of a GAN does, names each with its optimizer:
//
//   Checkpoint checkpoint("runs/gan", {{generator, first}, {discriminator, second}});
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/train/checkpoints/run_identity.h"
#include "plimsoll/train/data/tensor_batches.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

// The batch that comes next.
struct LoopPosition {
  int64_t epoch = 0;
  int64_t batch = 0;

  // Where this epoch begins: in the middle, if the loop goes on there.
  int64_t batch_in(int64_t which) const { return which == epoch ? batch : 0; }
  bool operator==(const LoopPosition&) const = default;
};

// A model of a loop, and the optimizer that trains it. Models that one optimizer trains together
// have the same; one that none trains, such as a mean of another's weights, has an empty one.
struct LoopModel {
  Model model;
  Optimizer optimizer = {};
};

class Checkpoint {
 public:
  // The folder is made by the first save. The last `keep` stay.
  Checkpoint(std::string folder, Model model, Optimizer optimizer, int keep = 2);
  // A program that goes on names its models in the same order.
  Checkpoint(std::string folder, std::vector<LoopModel> models, int keep = 2);

  // Says what the loop reads, before it goes on: its checkpoints then know the data and these
  // options, but for `epoch`, `first` and `reading`.
  void over(const Dataset& data, const TensorBatchesOptions& options = {});
  // The batches of an epoch of that data; those that restore() says were seen are left out.
  TensorBatches batches(int64_t epoch) const;

  // The file of the newest checkpoint that is whole; none if there is none. Those that are not
  // whole are reported.
  std::optional<std::string> latest() const;
  // Puts weights, the state of optimizers, the states of stateful layers and the clock of random
  // numbers back as the newest checkpoint has them. Without one, the beginning. InvalidArgument
  // where a model is not built yet: give it an Input, or call it once; CorruptFile where the
  // checkpoint is that of other models, or where there are some and none is whole. InvalidArgument
  // names what changed where the checkpoint knows other data or options than over() was told.
  LoopPosition restore();
  // Computes what is pending and writes it, whole or not at all. IoError if that fails; the
  // earlier ones are then as they were.
  void save(const LoopPosition& next);
  // The same, unless it would take more than 2% of the time of the loop.
  void save_now_and_then(const LoopPosition& next);

 private:
  using Clock = std::chrono::steady_clock;
  void build_optimizers() const;
  Variables state() const;

  CheckpointFolder folder_;
  std::vector<LoopModel> models_;
  int keep_;
  Dataset data_;
  TensorBatchesOptions reading_;
  RunIdentity identity_;  // of data and options; empty: nothing is known
  LoopPosition restored_;
  Clock::time_point last_ = Clock::now();
  double save_seconds_ = 0;  // that the last one took
};

}  // namespace plimsoll
