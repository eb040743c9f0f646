#include "plimsoll/train/steps/data_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultBatch = 32;

void run_step(CompiledStep& step, StepWatch* watch) {
  if (watch != nullptr)
    step.run_watched(*watch);
  else
    step.run();
}

// Runs; an error begins with the place.
template <class Text, class Run>
void with_place(const Text& place, const Run& run) {
  try {
    run();
  } catch (const NotFinite& error) {
    throw NotFinite(place() + error.what());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(place() + error.what());
  }
}

}  // namespace

int64_t BatchChoice::size_for(int64_t records) const {
  if (steps && *steps < 1)
    throw InvalidArgument(fmt::format("steps: expected 1 or more, found {}", *steps));
  if (size) return *size;
  return steps ? std::max<int64_t>(1, (records + *steps - 1) / *steps) : kDefaultBatch;
}

int64_t batch_size_of(const PassData& data) {
  if (data.source == nullptr) return *data.choice.size;
  if (const StreamSource* stream = data.source->stream())
    return data.choice.size.value_or(stream->first_records());
  return batch_size_of(*data.source, data.choice.size_for(data.source->size()));
}

bool has_smaller_last(const PassData& data) {
  if (data.source == nullptr || data.source->stream() != nullptr) return false;
  return data.runs_last && data.source->size() % batch_size_of(data) > 0;
}

namespace {

int64_t record_bytes(const Specs& fields) {
  return stream_loader_bytes(fields, 1, 1);
}

// Batches of a stream are held as they come, and cut into parts there. One more is read ahead,
// while a step runs: what it takes to make one, such as a generator's arrays in another type, comes
// on top.
void plan_stream(PassPlan& plan) {
  const Source& source = *plan.data.source;
  const int64_t records = source.stream()->first_records();
  plan.loading = loader_options(source, records, {}, plan.data.reading);
  plan.loading.windows = std::min(plan.loading.windows, 2);
  plan.loader_bytes = stream_loader_bytes(plan.data.fields.specs, records, plan.loading.windows) +
                      source.stream()->making_bytes();
}

std::unique_ptr<BatchReader> make_loader(const PassPlan& plan) {
  if (plan.data.source->stream() == nullptr)
    return std::make_unique<Loader>(plan.data.source, plan.full.sizes.batch, plan.loading);
  const bool in_pieces = plan.data.kind == StepKind::predict;
  return std::make_unique<StreamLoader>(
      plan.data.source, StreamLoaderOptions{.windows = plan.loading.windows,
                                            .most_records = in_pieces ? plan.full.sizes.batch : 0,
                                            .bad = plan.loading.bad});
}

}  // namespace

PassPlan plan_pass(ModelSteps& steps, const PassData& data, const Saving& saving) {
  const auto compile = [&](int64_t batch) {
    return steps.compile(data.kind, data.fields, batch, saving);
  };
  const Source* source = data.source.get();
  const int64_t batch = batch_size_of(data);
  BatchStep full = compile(batch);
  PassPlan plan{data, full, full, {}};
  plan.loading = {.part_size = full.is_whole() ? 0 : full.sizes.most,
                  .passes = full.divisors.large == nullptr ? 1 : 2};
  if (source != nullptr && source->stream() != nullptr) {
    plan_stream(plan);
    return plan;
  }
  if (source != nullptr) {
    plan.loading = loader_options(*source, full.sizes.large, plan.loading, data.reading);
    if (has_smaller_last(data)) plan.last = compile(source->size() % batch);
  }
  plan.loader_bytes = loader_bytes(data.fields.specs, batch, plan.loading);
  return plan;
}

int64_t output_bytes_of(const PassPlan& plan) {
  return plan.full.is_whole() ? plan.full.parts.large->memory().output_bytes : 0;
}

DataPass::DataPass(ModelSteps& steps, PassPlan plan)
    : steps_(steps),
      plan_(std::move(plan)),
      loader_(make_loader(plan_)),
      stream_(dynamic_cast<StreamLoader*>(loader_.get())),
      last_fields_(plan_.data.fields.specs) {}

// Bad records may leave a last batch of any size.
const BatchStep& DataPass::step_for(int64_t records) {
  if (records == plan_.full.sizes.batch) return plan_.full;
  if (records != plan_.last.sizes.batch)
    plan_.last = steps_.compile(plan_.data.kind, plan_.data.fields, records);
  return plan_.last;
}

// A batch that is larger than all before it may need other ways to save memory; they then serve for
// all others too.
const BatchStep& DataPass::step_of_stream(int64_t records) {
  RecordFields& full = plan_.data.fields;
  const Specs& found = loader_->fields();
  if (records == plan_.full.sizes.batch && found == full.specs) return plan_.full;
  const int64_t planned_bytes = record_bytes(full.specs) * plan_.full.sizes.batch;
  if (record_bytes(found) * records > planned_bytes) {
    full.specs = found;
    PassData larger = plan_.data;
    larger.source = nullptr;
    larger.choice = {.size = records};
    plan_.full =
        plan_.hold_larger ? plan_.hold_larger(larger) : steps_.compile(larger.kind, full, records);
    return plan_.full;
  }
  if (records != plan_.last.sizes.batch || found != last_fields_) {
    last_fields_ = found;
    plan_.last = steps_.compile(plan_.data.kind, {found, full.roles}, records);
  }
  return plan_.last;
}

CompiledStep& DataPass::run_batch(StepWatch* watch) {
  const int64_t records = loader_->parts().batch;
  const BatchStep& step = stream_ != nullptr ? step_of_stream(records) : step_for(records);
  if (stream_ != nullptr) stream_->cut(step.sizes);
  if (step.divisors.large != nullptr) run_parts(step, step.divisors, nullptr);
  run_parts(step, step.parts, watch);
  if (step.is_whole()) return *step.parts.large;
  with_place([&] { return place(0, step.sizes.batch); }, [&] { run_step(*step.end, watch); });
  return *step.end;
}

std::optional<BadBatch> DataPass::find_bad_batch() {
  const int64_t records = loader_->parts().batch;
  const BatchStep& step = stream_ != nullptr ? step_of_stream(records) : step_for(records);
  const RecordFields fields{loader_->fields(), plan_.data.fields.roles};
  return plimsoll::find_bad_batch(steps_, *loader_, fields, step);
}

void DataPass::save_bad_batch(StateWriter& to, const BadBatch& bad) const {
  plimsoll::save_bad_batch(to, *loader_, {loader_->fields(), plan_.data.fields.roles}, bad);
}

void DataPass::run_parts(const BatchStep& step, const BatchStep::Pair& steps, StepWatch* watch) {
  const int fields = static_cast<int>(loader_->fields().size());
  for (int64_t i = 0; i < step.sizes.count; ++i) {
    CompiledStep& part = steps.of(step.sizes, i);
    place_ = {step.sizes.first(i), i == 0};
    loader_->load_part(i);
    for (int field = 0; field < fields; ++field) part.bind_input(field, loader_->field(field));
    if (!step.is_whole()) {
      part.bind_input(fields, reinterpret_cast<const std::byte*>(&place_.first));
      part.bind_input(fields + 1, reinterpret_cast<const std::byte*>(&place_.is_first));
    }
    with_place([&] { return place(place_.first, step.sizes.size(i)); },
               [&] { run_step(part, watch); });
  }
}

// "train, batch 3 (records cats/1.jpg, dogs/4.jpg, …): "
std::string DataPass::place(int64_t first, int64_t count) const {
  constexpr int64_t kShown = 8;
  std::string text =
      fmt::format("{}, batch {} (records ", plan_.data.name, loader_->batch_number() + 1);
  for (int64_t row = 0; row < std::min(count, kShown); ++row)
    text += (row > 0 ? ", " : "") + loader_->record_name(first + row);
  return text + (count > kShown ? ", …): " : "): ");
}

}  // namespace plimsoll
