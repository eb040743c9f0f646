#include "plimsoll/train/steps/data_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultBatch = 32;

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
  return batch_size_of(*data.source, data.choice.size_for(data.source->size()));
}

bool has_smaller_last(const PassData& data) {
  return data.source != nullptr && data.runs_last && data.source->size() % batch_size_of(data) > 0;
}

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
      loader_(std::make_unique<Loader>(plan_.data.source, plan_.full.sizes.batch, plan_.loading)) {}

// Bad records may leave a last batch of any size.
const BatchStep& DataPass::step_for(int64_t records) {
  if (records == plan_.full.sizes.batch) return plan_.full;
  if (records != plan_.last.sizes.batch)
    plan_.last = steps_.compile(plan_.data.kind, plan_.data.fields, records);
  return plan_.last;
}

CompiledStep& DataPass::run_batch() {
  const BatchStep& step = step_for(loader_->parts().batch);
  if (step.divisors.large != nullptr) run_parts(step, step.divisors);
  run_parts(step, step.parts);
  if (step.is_whole()) return *step.parts.large;
  with_place([&] { return place(0, step.sizes.batch); }, [&] { step.end->run(); });
  return *step.end;
}

void DataPass::run_parts(const BatchStep& step, const BatchStep::Pair& steps) {
  const int fields = static_cast<int>(loader_->source().fields().size());
  for (int64_t i = 0; i < step.sizes.count; ++i) {
    CompiledStep& part = steps.of(step.sizes, i);
    place_ = {step.sizes.first(i), i == 0};
    loader_->load(i);
    for (int field = 0; field < fields; ++field) part.bind_input(field, loader_->field(field));
    if (!step.is_whole()) {
      part.bind_input(fields, reinterpret_cast<const std::byte*>(&place_.first));
      part.bind_input(fields + 1, reinterpret_cast<const std::byte*>(&place_.is_first));
    }
    with_place([&] { return place(place_.first, step.sizes.size(i)); }, [&] { part.run(); });
  }
}

// "train, batch 3 (records cats/1.jpg, dogs/4.jpg, …): "
std::string DataPass::place(int64_t first, int64_t count) const {
  constexpr int64_t kShown = 8;
  const int64_t batch = loader_->position().row / loader_->batch_size();
  std::string text = fmt::format("{}, batch {} (records ", plan_.data.name, batch + 1);
  for (int64_t row = 0; row < std::min(count, kShown); ++row)
    text += (row > 0 ? ", " : "") + loader_->source().name(loader_->record_at(first + row));
  return text + (count > kShown ? ", …): " : "): ");
}

}  // namespace plimsoll
