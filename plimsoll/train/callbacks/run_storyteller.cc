#include "plimsoll/train/callbacks/run_storyteller.h"

#include <algorithm>

#include "plimsoll/base/process_memory.h"
#include "plimsoll/train/callbacks/story_state.h"
#include "plimsoll/train/steps/bad_batch.h"

namespace plimsoll {

void RunStoryteller::on_train_begin(TrainingState& state) {
  story_ = {.is_of_command = story_.is_of_command,
            .status = "running",
            .planned_epochs = state.epochs,
            .is_shuffled = story_.is_shuffled,
            .has_class_weights = story_.has_class_weights};
  clock_ = {};
  growing_.begin();
}

void RunStoryteller::on_train_end(TrainingState&) {
  if (!story_.not_finite) story_.status = "done";
}

void RunStoryteller::on_epoch_end(TrainingState& state) {
  const int64_t batches = std::max<int64_t>(1, state.batches_done);
  story_.batch_size = std::max(story_.batch_size, (state.samples + batches - 1) / batches);
  story_.seconds += state.seconds;
  const StepClock::Times times = clock_.take();
  story_.epochs.push_back({state.logs(), state.samples, state.seconds,
                           process_memory().resident_bytes, times.step_seconds,
                           times.slowest_seconds, times.core_wait_seconds});
  story_.growing = growing_.end_epoch();
}

void RunStoryteller::on_statistics(TrainingState&, const StepStatistics& statistics) {
  story_.statistics.push_back(statistics);
}

bool RunStoryteller::on_not_finite(TrainingState& state, const NotFinite& error) {
  NotFiniteStory story{.epoch = state.epoch + 1, .batch = state.batch + 1, .what = error.what()};
  if (state.bad_batch != nullptr) {
    const FirstBad& first = state.bad_batch->first;
    story.op = first.op;
    story.layer = first.layer;
    if (first.where.is_in_program()) story.line = first.where.to_string();
    story.kind = first.kind == FirstBad::Kind::operation ? "operation" : first.op;
    story.records = state.bad_batch->records;
    story.batch_records = state.bad_batch->batch_records;
    story.is_kept = state.is_bad_batch_kept;
  }
  story_.not_finite = std::move(story);
  story_.status = "failed";
  return false;
}

void RunStoryteller::save_state(StateWriter& to) const {
  save_story(to, story_);
}

void RunStoryteller::load_state(const StateReader& from) {
  load_story(from, story_);
}

}  // namespace plimsoll
