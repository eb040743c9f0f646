#include "plimsoll/train/steps/phase.h"

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
    throw InvalidArgument("steps: expected 1 or more, found " + std::to_string(*steps));
  if (size) return *size;
  return steps ? std::max<int64_t>(1, (records + *steps - 1) / *steps) : kDefaultBatch;
}

Phase::Phase(std::string name, SourcePtr source, const BatchChoice& choice, bool runs_last,
             MakeStep make_step, const ReadingOptions& reading)
    : name_(std::move(name)),
      make_step_(std::move(make_step)),
      full_(make_step_(batch_size_of(*source, choice.size_for(source->size())))),
      last_(full_) {
  const bool is_whole = full_.is_whole();
  const LoaderOptions options{.part_size = is_whole ? 0 : full_.sizes.most,
                              .passes = full_.divisors.large == nullptr ? 1 : 2};
  loader_ = std::make_unique<Loader>(source, full_.sizes.batch,
                                     loader_options(*source, full_.sizes.large, options, reading));
  const int64_t rest = loader_->records_of(loader_->batch_count() - 1);
  if (runs_last && rest != loader_->batch_size()) last_ = make_step_(rest);
}

// Bad records may leave a last batch of any size.
const BatchStep& Phase::step_for(int64_t records) {
  if (records == full_.sizes.batch) return full_;
  if (records != last_.sizes.batch) last_ = make_step_(records);
  return last_;
}

CompiledStep& Phase::run_batch() {
  const BatchStep& step = step_for(loader_->parts().batch);
  if (step.divisors.large != nullptr) run_parts(step, step.divisors);
  run_parts(step, step.parts);
  if (step.is_whole()) return *step.parts.large;
  with_place([&] { return place(0, step.sizes.batch); }, [&] { step.end->run(); });
  return *step.end;
}

void Phase::run_parts(const BatchStep& step, const BatchStep::Pair& steps) {
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
std::string Phase::place(int64_t first, int64_t count) const {
  constexpr int64_t kShown = 8;
  const int64_t batch = loader_->position().row / loader_->batch_size();
  std::string text = name_ + ", batch " + std::to_string(batch + 1) + " (records ";
  for (int64_t row = 0; row < std::min(count, kShown); ++row)
    text += (row > 0 ? ", " : "") + loader_->source().name(loader_->record_at(first + row));
  return text + (count > kShown ? ", …): " : "): ");
}

}  // namespace plimsoll
