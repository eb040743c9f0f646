#include "plimsoll/train/callbacks/kept_tensors.h"

#include <utility>

#include "plimsoll/engine/memory/loop_watch.h"

namespace plimsoll {

void KeptTensors::on_train_begin(TrainingState&) {
  is_in_epoch_ = false;
  LoopWatch::current().begin_epochs();
}

void KeptTensors::on_epoch_begin(TrainingState&) {
  if (std::exchange(is_in_epoch_, true)) LoopWatch::current().end_epoch();
}

void KeptTensors::on_train_batch_begin(TrainingState&) {
  LoopWatch::current().begin_batch();
}

void KeptTensors::on_train_end(TrainingState&) {
  LoopWatch::current().end_epoch();
}

}  // namespace plimsoll
