// StepPicture: where each tensor of a training step lies and how long it lives, for people to look
// at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

struct StepPicture {
  enum class Kind { activation, gradient, weight_gradient, update, scratch };

  // An operation of the step, in the order in which they run.
  struct Moment {
    int32_t op = 0, layer = 0;  // in `names`
    int64_t live_bytes = 0;     // of the arena, while it runs
    double seconds = 0;         // predicted
  };

  // Bytes of the arena, from `first` to `last`, which are positions in `moments`.
  struct Buffer {
    Kind kind = Kind::activation;
    int32_t op = 0, layer = 0, shape = 0;  // in `names`: what makes it, and its first value
    int64_t offset = 0, bytes = 0;
    int32_t first = 0, last = 0;
  };

  int64_t arena_bytes = 0;
  int32_t peak = 0;  // the first moment at which most bytes are live
  std::vector<std::string> names = {};
  std::vector<Moment> moments = {};
  std::vector<Buffer> buffers = {};
};

}  // namespace plimsoll
