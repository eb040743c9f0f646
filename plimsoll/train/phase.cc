#include "plimsoll/train/phase.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultBatch = 32;

}  // namespace

int64_t BatchChoice::size_for(int64_t records) const {
  if (steps && *steps < 1)
    throw InvalidArgument("steps: expected 1 or more, found " + std::to_string(*steps));
  if (size) return *size;
  return steps ? std::max<int64_t>(1, (records + *steps - 1) / *steps) : kDefaultBatch;
}

Phase::Phase(std::string name, SourcePtr source, const BatchChoice& choice, bool runs_last,
             const MakeStep& make_step)
    : name_(std::move(name)), batches_(source, choice.size_for(source->size())) {
  const int64_t rest = batches_.records_of(batches_.batch_count() - 1);
  full_ = make_step(batches_.batch_size());
  last_ = rest == batches_.batch_size() || !runs_last ? full_ : make_step(rest);
}

CompiledStep& Phase::run(int64_t batch) {
  batches_.load(batch);
  CompiledStep& step = batch + 1 == batches_.batch_count() ? *last_ : *full_;
  for (size_t i = 0; i < batches_.source().fields().size(); ++i)
    step.bind_input(static_cast<int>(i), batches_.field(static_cast<int>(i)));
  try {
    step.run();
  } catch (const NotFinite& error) {
    throw NotFinite(place(batch) + error.what());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(place(batch) + error.what());
  }
  return step;
}

// "train, batch 3 (records cats/1.jpg, dogs/4.jpg, …): "
std::string Phase::place(int64_t batch) const {
  constexpr int64_t kShown = 8;
  const int64_t count = batches_.records_of(batch);
  std::string text = name_ + ", batch " + std::to_string(batch + 1) + " (records ";
  for (int64_t row = 0; row < std::min(count, kShown); ++row)
    text += (row > 0 ? ", " : "") + batches_.source().name(batches_.record_at(batch, row));
  return text + (count > kShown ? ", …): " : "): ");
}

}  // namespace plimsoll
