#include "plimsoll/train/callbacks/growing_lines.h"

namespace plimsoll {

void GrowingLines::begin() {
  growth_ = {};
  growth_.look(live_tensors());
}

std::vector<GrowingLine> GrowingLines::end_epoch() {
  constexpr int kEpochs = 3;
  growth_.look(live_tensors());
  std::vector<GrowingLine> growing;
  for (const GrownLine& grown : growth_.grown(kEpochs))
    growing.push_back({place_of(grown.now), grown.now.count, grown.now.bytes});
  return growing;
}

}  // namespace plimsoll
