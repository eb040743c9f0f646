#include "plimsoll/base/moving_line.h"

#include <chrono>
#include <mutex>
#include <vector>

namespace plimsoll {
namespace {

constexpr std::chrono::milliseconds kPatience(50);

struct Lines {
  std::recursive_timed_mutex mutex;
  std::mutex list;
  std::vector<MovingLine*> all;
};

// Never destroyed: a finding may be reported while the process ends.
Lines& lines() {
  static Lines& lines = *new Lines;
  return lines;
}

}  // namespace

MovingLine::MovingLine() {
  const std::lock_guard lock(lines().list);
  lines().all.push_back(this);
}

MovingLine::~MovingLine() {
  const std::lock_guard lock(lines().list);
  std::erase(lines().all, this);
}

MovingLineLock::MovingLineLock() : is_held_(lines().mutex.try_lock_for(kPatience)) {}

MovingLineLock::~MovingLineLock() {
  if (is_held_) lines().mutex.unlock();
}

AboveMovingLine::AboveMovingLine() {
  if (!lock_.is_held()) return;
  const std::lock_guard lock(lines().list);
  for (MovingLine* line : lines().all) line->wipe();
}

AboveMovingLine::~AboveMovingLine() {
  if (!lock_.is_held()) return;
  const std::lock_guard lock(lines().list);
  for (MovingLine* line : lines().all) line->draw_again();
}

}  // namespace plimsoll
