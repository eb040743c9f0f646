#include "plimsoll/train/predict.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/record_marks.h"
#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/checked_records.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/memory/hold_passes.h"
#include "plimsoll/train/steps/data_pass.h"
#include "plimsoll/train/steps/kept_outputs.h"

namespace plimsoll {
namespace {

Tensors outputs_of(const CompiledStep& step) {
  Tensors outputs;
  for (size_t o = 0; o < step.program().outputs.size(); ++o)
    outputs.push_back(
        wrap(step.output(static_cast<int>(o)), step.program().spec(step.program().outputs[o])));
  return outputs;
}

// Bytes of the outputs of `samples` records, if they are known and to be kept.
int64_t kept_bytes(ModelSteps& steps, const PassData& data, std::optional<int64_t> samples,
                   bool is_kept) {
  if (!is_kept || !samples) return 0;
  const BatchStep step = steps.compile(StepKind::predict, data.fields, batch_size_of(data));
  return step.parts.large->memory().output_bytes / step.sizes.batch * *samples;
}

PassPlan plan_prediction(const Model& model, ModelSteps& steps, PassData data,
                         std::optional<int64_t> samples, const PredictOptions& options,
                         const Callbacks& callbacks) {
  const MemoryBudget budget = budget_of_run(options.memory, data.reading);
  const int64_t kept = kept_bytes(steps, data, samples, options.collect);
  // So many batches were asked for.
  const bool is_fixed = options.steps.has_value();
  return std::move(hold_passes({.model = model,
                                .steps = steps,
                                .what = "predict",
                                .passes = {std::move(data)},
                                .budget = budget,
                                .callbacks = callbacks,
                                .kept_bytes = kept,
                                .may_part = !is_fixed})[0]);
}

// The outputs of records that were left out are NaN, so that all others keep their places.
class LeftOutRecords {
 public:
  // `records`: none of a stream.
  LeftOutRecords(SourcePtr source, std::optional<int64_t> records, const BadRecordOptions& options)
      : source_(with_marks(std::move(source), marks_)), bad_(records.value_or(1000), options) {}

  const SourcePtr& source() const { return source_; }
  BadRecords& bad_records() { return bad_; }

  // After a batch; throws where they are too many.
  void blank(const CompiledStep& step, int64_t first, int64_t count) {
    bad_.has_seen(first + count);
    for (const auto& [record, error] : marks_->take(first, count)) {
      bad_.add(source_->name(record), 0, error);
      for (size_t o = 0; o < step.program().outputs.size(); ++o)
        blank_row(step, static_cast<int>(o), record - first);
    }
  }

 private:
  static void blank_row(const CompiledStep& step, int output, int64_t row) {
    const Spec& spec = step.program().spec(step.program().outputs[static_cast<size_t>(output)]);
    const int64_t bytes = spec.bytes() / spec.shape[0];
    std::byte* begin = step.output(output)->data() + row * bytes;
    // A row of ones is NaN in every floating type.
    std::memset(begin, is_integer(spec.dtype) || spec.dtype == DType::boolean ? 0 : 0xff,
                static_cast<size_t>(bytes));
  }

  std::shared_ptr<RecordMarks> marks_ = std::make_shared<RecordMarks>();
  SourcePtr source_;
  BadRecords bad_;
};

// How many batches and records a prediction has; none of a stream whose length is not known.
struct Extent {
  std::optional<int64_t> batches, records;
};

Extent extent_of(const PassData& data, const PredictOptions& options) {
  const int64_t batch = batch_size_of(data);
  if (const StreamSource* stream = data.source->stream())
    return {options.steps ? options.steps : stream->batches(), std::nullopt};
  const int64_t all = data.source->size();
  const int64_t records = options.steps ? std::min(all, batch * *options.steps) : all;
  return {(records + batch - 1) / batch, records};
}

// The batches of a prediction, one after the other.
class Prediction {
 public:
  Prediction(Model& model, DataPass& pass, const Callbacks& callbacks, KeptOutputs& kept)
      : pass_(pass), callbacks_(callbacks), kept_(kept), state_(model) {}

  void run(const Extent& extent, const PredictOptions& options, LeftOutRecords* left_out) {
    const bool is_stream = !extent.records;
    begin_loop(state_, pass_.loader().fields(), extent.batches);
    if (left_out != nullptr) report_bad_records(left_out->bad_records(), callbacks_, state_);
    pass_.loader().start_epoch(0);
    notify(callbacks_, &Callback::on_predict_begin, state_);
    while (is_stream ? !options.steps || pass_.whole_batches() < *options.steps
                     : state_.samples < *extent.records) {
      const int64_t records = pass_.begin_batch();
      if (records == 0) break;
      run_batch(records, left_out);
    }
    if (is_stream) state_.batches = state_.batches_done;
    notify(callbacks_, &Callback::on_predict_end, state_);
    state_.print_said();
  }

 private:
  void run_batch(int64_t records, LeftOutRecords* left_out) {
    state_.batch = state_.batches_done;
    notify(callbacks_, &Callback::on_predict_batch_begin, state_);
    const CompiledStep& step = pass_.run_batch();
    if (left_out != nullptr) left_out->blank(step, state_.samples, records);
    kept_.add(step, records);
    end_batch(state_, records, watch_.seconds());
    if (!callbacks_.empty()) state_.outputs = outputs_of(step);
    notify(callbacks_, &Callback::on_predict_batch_end, state_);
    state_.outputs.clear();
  }

  DataPass& pass_;
  const Callbacks& callbacks_;
  KeptOutputs& kept_;
  TrainingState state_;
  Stopwatch watch_;
};

}  // namespace

Tensors predict(Model& model, ModelSteps& steps, const Dataset& given,
                const PredictOptions& options) {
  const Dataset data = with_own_stream(given);
  const RecordFields fields = steps.input_fields_of(data.source->fields(), data);
  const BatchChoice choice = batch_choice(data, options.batch_size, options.steps);
  if (!data.buckets.empty())
    throw InvalidArgument("predict: the outputs of buckets have no common shape; ask for each");
  Callbacks callbacks = options.callbacks;
  if (options.verbose > 0) callbacks.emplace_back(std::make_shared<ConsoleProgress>());
  SourcePtr checked = checked_inputs(steps, data, options.reading).source;
  ReadingOptions reading = options.reading;
  std::optional<LeftOutRecords> left_out;
  if (reading.bad.then == OnBadRecord::skip) {
    const bool is_stream = checked->stream() != nullptr;
    left_out.emplace(checked, is_stream ? std::nullopt : std::optional(checked->size()),
                     reading.bad);
    checked = left_out->source();
    reading.bad.then = OnBadRecord::fail;
  }
  PassData whole{.name = "predict",
                 .kind = StepKind::predict,
                 .fields = fields,
                 .choice = choice,
                 .source = checked,
                 .runs_last = runs_last(*checked, choice),
                 .reading = reading};
  Extent extent = extent_of(whole, options);
  DataPass pass(
      steps, plan_prediction(model, steps, std::move(whole), extent.records, options, callbacks));
  const int64_t batch = pass.step().sizes.batch;  // which memory may have made smaller
  if (extent.records) extent.batches = (*extent.records + batch - 1) / batch;
  KeptOutputs kept(*pass.step().parts.large, batch, extent.records, options.collect);
  Prediction(model, pass, callbacks, kept).run(extent, options, left_out ? &*left_out : nullptr);
  return kept.take();
}

}  // namespace plimsoll
