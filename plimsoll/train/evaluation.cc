#include "plimsoll/train/evaluation.h"

#include <algorithm>
#include <utility>

#include "plimsoll/train/checked_records.h"
#include "plimsoll/train/loop.h"

namespace plimsoll {

std::vector<PassData> evaluation_passes(const std::string& name, ModelSteps& steps,
                                        const Dataset& data, const BatchChoice& choice,
                                        const ReadingOptions& reading) {
  std::vector<PassData> passes = passes_over(checked_records(steps, data, reading), steps,
                                             {.name = name,
                                              .kind = StepKind::evaluate,
                                              .fields = {},
                                              .choice = choice,
                                              .reading = reading});
  for (PassData& pass : passes) pass.runs_last = runs_last(*pass.source, choice);
  return passes;
}

Evaluation::Evaluation(ModelSteps& steps, std::vector<PassPlan> plans, std::optional<int64_t> most)
    : objective_(steps.objective()),
      passes_(steps, std::move(plans), std::nullopt),
      most_(std::min(passes_.batch_count(), most.value_or(BatchReader::kNoEnd))) {}

void Evaluation::run(const Callbacks& callbacks, TrainingState& state,
                     const std::function<void()>& after_batch) {
  const std::optional<int64_t> expected = passes_.expected_batches();
  const bool is_known = expected || most_ < BatchReader::kNoEnd;
  begin_loop(state, passes_.fields(),
             is_known ? std::optional(std::min(most_, expected.value_or(most_))) : std::nullopt);
  for (BatchReader* loader : passes_.loaders())
    report_bad_records(loader->bad_records(), callbacks, state);
  passes_.start_epoch(0);
  objective_.reset();
  notify(callbacks, &Callback::on_test_begin, state);
  const Stopwatch watch;
  for (int64_t i = 0; i < most_; ++i) {
    state.batch = i;
    const int64_t records = passes_.begin_batch();
    if (records == 0) {
      if (i == 0) refuse_if_all_are_bad("evaluate", passes_.loaders());
      break;
    }
    notify(callbacks, &Callback::on_test_batch_begin, state);
    passes_.run_batch();
    end_batch(state, records, watch.seconds());
    state.expect_logs(objective_);
    notify(callbacks, &Callback::on_test_batch_end, state);
    if (after_batch) after_batch();
  }
  if (passes_.is_stream()) state.batches = state.batches_done;
  notify(callbacks, &Callback::on_test_end, state);
}

}  // namespace plimsoll
