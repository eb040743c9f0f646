#include "plimsoll/train/phase.h"

#include <algorithm>

#include "plimsoll/base/error.h"

namespace plimsoll {

Phase::Phase(std::string name, SourcePtr source, int64_t batch_size, const MakeStep& make_step)
    : name_(std::move(name)), batches_(std::move(source), batch_size) {
  const Specs& fields = batches_.source().fields();
  const int64_t rest = batches_.records_of(batches_.batch_count() - 1);
  full_ = make_step(fields, batches_.batch_size());
  last_ = rest == batches_.batch_size() ? full_ : make_step(fields, rest);
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

int64_t Phase::arena_bytes() const {
  return std::max(full_->plan().arena_bytes, last_->plan().arena_bytes);
}

// "train, batch 3 (records 17, 4, 12, …): "
std::string Phase::place(int64_t batch) const {
  constexpr int64_t kShown = 8;
  const int64_t count = batches_.records_of(batch);
  std::string text = name_ + ", batch " + std::to_string(batch + 1) + " (records ";
  for (int64_t row = 0; row < std::min(count, kShown); ++row)
    text += (row > 0 ? ", " : "") + std::to_string(batches_.record_at(batch, row));
  return text + (count > kShown ? ", …): " : "): ");
}

}  // namespace plimsoll
