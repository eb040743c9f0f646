// A line that is redrawn at the bottom of a terminal, and what else is written there meanwhile: it
// goes above that line, which is wiped before and drawn again after.
#pragma once

namespace plimsoll {

// One that exists is on the screen or may come there at any time.
class MovingLine {
 public:
  MovingLine();
  MovingLine(const MovingLine&) = delete;
  MovingLine& operator=(const MovingLine&) = delete;

  // Both are called by the thread that writes, with the lock.
  virtual void wipe() = 0;
  virtual void draw_again() = 0;

 protected:
  ~MovingLine();
};

// While one exists, no other thread draws a line or writes above it. A thread may have several. If
// a terminal that is stopped, or a stream that waits for this thread, keeps the lock, it goes
// without after a short time: a torn line is better than a run that stands still.
class MovingLineLock {
 public:
  MovingLineLock();
  ~MovingLineLock();
  MovingLineLock(const MovingLineLock&) = delete;
  MovingLineLock& operator=(const MovingLineLock&) = delete;

  bool is_held() const { return is_held_; }

 private:
  bool is_held_;
};

// While one exists, no line is on the screen: what is written is above it.
class AboveMovingLine {
 public:
  AboveMovingLine();
  ~AboveMovingLine();
  AboveMovingLine(const AboveMovingLine&) = delete;
  AboveMovingLine& operator=(const AboveMovingLine&) = delete;

 private:
  MovingLineLock lock_;
};

}  // namespace plimsoll
