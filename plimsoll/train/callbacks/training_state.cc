#include "plimsoll/train/callbacks/training_state.h"

#include <cstdio>
#include <utility>

#include "plimsoll/base/moving_line.h"
#include "plimsoll/base/printable.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/memory/arena.h"
#include "plimsoll/train/steps/objective.h"

namespace plimsoll {

Logs& TrainingState::logs() {
  if (unread_ != nullptr) read_logs(*unread_, logs_);
  unread_ = nullptr;
  return logs_;
}

void TrainingState::set_logs(Logs logs) {
  unread_ = nullptr;
  logs_ = std::move(logs);
}

void TrainingState::print_said() {
  const auto print = [](std::string& text, std::FILE* out) {
    if (text.empty()) return;
    const AboveMovingLine above;
    std::fputs(printable_lines(text).c_str(), out);
    std::fflush(out);
    text.clear();
  };
  print(said_, stdout);
  print(warned_, stderr);
}

MemoryUse TrainingState::memory() const {
  const ProcessMemory process = process_memory();
  MemoryUse use{.resident_bytes = process.resident_bytes,
                .peak_resident_bytes = process.peak_resident_bytes,
                .arena_bytes = Arena::shared()->bytes()};
  if (plan == nullptr) return use;
  use.planned_peak_bytes = plan->peak_bytes;
  use.weight_bytes = plan->weight_bytes;
  use.optimizer_bytes = plan->optimizer_bytes;
  use.batch_bytes = plan->input_bytes;
  return use;
}

void read_logs(const Objective& objective, Logs& into, const std::string& prefix) {
  const std::vector<std::string>& names = objective.names();
  for (size_t i = 0; i < names.size(); ++i)
    into[prefix.empty() ? names[i] : prefix + names[i]] = objective.value(i);
}

}  // namespace plimsoll
