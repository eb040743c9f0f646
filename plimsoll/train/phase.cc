#include "plimsoll/train/phase.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultBatch = 32;

// Runs; an error begins with the place.
template <class Place, class Run>
void with_place(const Place& place, const Run& run) {
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
             const MakeStep& make_step)
    : name_(std::move(name)),
      full_(make_step(batch_size_of(*source, choice.size_for(source->size())))),
      last_(full_),
      batches_(source, full_.sizes.batch, full_.sizes.large) {
  const int64_t rest = batches_.records_of(batches_.batch_count() - 1);
  if (runs_last && rest != batches_.batch_size()) last_ = make_step(rest);
}

CompiledStep& Phase::run(int64_t batch) {
  const BatchStep& step = batch + 1 == batches_.batch_count() ? last_ : full_;
  if (step.divisors.large != nullptr) run_parts(batch, step, step.divisors);
  run_parts(batch, step, step.parts);
  if (step.is_whole()) return *step.parts.large;
  with_place([&] { return place(batch, 0, batches_.records_of(batch)); }, [&] { step.end->run(); });
  return *step.end;
}

void Phase::run_parts(int64_t batch, const BatchStep& step, const BatchStep::Pair& steps) {
  const int fields = static_cast<int>(batches_.source().fields().size());
  for (int64_t i = 0; i < step.sizes.count; ++i) {
    CompiledStep& part = steps.of(step.sizes, i);
    place_ = {step.sizes.first(i), i == 0};
    batches_.load(batch, place_.first, step.sizes.size(i));
    for (int field = 0; field < fields; ++field) part.bind_input(field, batches_.field(field));
    if (!step.is_whole()) {
      part.bind_input(fields, reinterpret_cast<const std::byte*>(&place_.first));
      part.bind_input(fields + 1, reinterpret_cast<const std::byte*>(&place_.is_first));
    }
    with_place([&] { return place(batch, place_.first, step.sizes.size(i)); }, [&] { part.run(); });
  }
}

// "train, batch 3 (records cats/1.jpg, dogs/4.jpg, …): "
std::string Phase::place(int64_t batch, int64_t first, int64_t count) const {
  constexpr int64_t kShown = 8;
  std::string text = name_ + ", batch " + std::to_string(batch + 1) + " (records ";
  for (int64_t row = 0; row < std::min(count, kShown); ++row)
    text += (row > 0 ? ", " : "") + batches_.source().name(batches_.record_at(batch, first + row));
  return text + (count > kShown ? ", …): " : "): ");
}

}  // namespace plimsoll
