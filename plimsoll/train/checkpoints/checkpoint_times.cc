#include "plimsoll/train/checkpoints/checkpoint_times.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/train/checkpoints/checkpoint_options.h"

namespace plimsoll {
namespace {

// Of what a young run has done, at most, is lost if it is killed: one that is killed again and
// again makes progress.
constexpr double kMostLost = 0.1, kLeastSeconds = 0.5;

// A process that goes on is in danger for so many lives of the one before it. Then checkpoints may
// take more of the time, for a kill would cost more than they do.
constexpr double kLivesInDanger = 4, kMostShareInDanger = 0.15;

}  // namespace

// A checkpoint knows how long its process lived until then, which may be much less than how long it
// lived. So there is danger at least until a second checkpoint would be written without it: if no
// process lived that long, each would keep its first half second alone.
bool CheckpointTimes::is_in_danger(double lived) const {
  return lived_before > 0 &&
         lived <= std::max(kLivesInDanger * lived_before, write / kMostCheckpointShare);
}

// In danger, the time that costs least in all: half of it is lost by a kill, and it is how often a
// checkpoint's time is spent (Young's formula).
double CheckpointTimes::least(double lived) const {
  const double usual = write / kMostCheckpointShare;
  if (!is_in_danger(lived)) return usual;
  const double cheapest = std::sqrt(2 * write * lived_before);
  return std::min(usual, std::max(cheapest, write / kMostShareInDanger));
}

bool CheckpointTimes::is_due(double lived, double since_last, bool is_epoch_end) const {
  const double early =
      is_in_danger(lived) ? kLeastSeconds : std::max(kLeastSeconds, kMostLost * lived);
  const double wanted = is_epoch_end ? 0 : std::min(every, early);
  return since_last >= std::max(least(lived), wanted);
}

}  // namespace plimsoll
