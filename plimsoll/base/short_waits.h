// ShortWaits: while one of them exists, the threads of an OpenMP team wait actively for about a
// microsecond between parallel loops, and then sleep.
//
// Usually they wait actively for milliseconds. On a free machine that is the fastest way to begin
// the next loop. On a busy one a waiting thread takes a core from the thread that it waits for, and
// a step takes several times as long. libgomp reads its settings from the environment before
// main() and has no function to change them. But it waits shortly whenever a process has more
// OpenMP threads than the machine has cores. So a second team is made, which does nothing but
// exist: its threads sleep, and take no memory but the first pages of their stacks.
#pragma once

#include <memory>

namespace plimsoll {

class ShortWaits {
 public:
  ShortWaits();
  ~ShortWaits();
  ShortWaits(const ShortWaits&) = delete;
  ShortWaits& operator=(const ShortWaits&) = delete;

 private:
  class IdleTeam;
  std::shared_ptr<IdleTeam> team_;  // shared by all of them
};

}  // namespace plimsoll
