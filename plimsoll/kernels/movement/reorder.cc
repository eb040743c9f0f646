#include "plimsoll/kernels/movement/reorder.h"

#include <algorithm>
#include <cstring>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

// Positions that are moved block after block while they stay in the first-level cache.
constexpr int64_t kTilePositions = 32;
constexpr int64_t kGrainBytes = 1 << 17;

// The positions of the units of one layout. A unit is a run of channels that both layouts keep
// together.
struct Units {
  int64_t position_bytes = 0;  // from a position to the next
  int64_t group_bytes = 0;     // from a group of units that lie side by side to the next
  int64_t unit_bytes = 0;
  int64_t units_in_group = 1;

  Units(const Shape& shape, Layout layout, int64_t unit_channels, int64_t element_bytes)
      : unit_bytes(unit_channels * element_bytes) {
    const int64_t positions = shape.elements(1, shape.rank() - 1);
    const int64_t group = layout.is_plain() ? shape.back() : layout.channel_block;
    position_bytes = group * element_bytes;
    group_bytes = positions * position_bytes;
    units_in_group = std::max<int64_t>(group / unit_channels, 1);
  }

  int64_t offset(int64_t unit) const {
    return unit / units_in_group * group_bytes + unit % units_in_group * unit_bytes;
  }
};

template <size_t kBytes>
void move_units(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                int64_t count) {
  for (int64_t i = 0; i < count; ++i, from += from_step, to += to_step)
    std::memcpy(to, from, kBytes);
}

using MoveUnits = decltype(&move_units<8>);

MoveUnits mover(int64_t unit_bytes) {
  switch (unit_bytes) {
    case 8:
      return move_units<8>;
    case 16:
      return move_units<16>;
    case 32:
      return move_units<32>;
    case 64:
      return move_units<64>;
    default:
      return move_units<128>;
  }
}

int64_t unit_channels(const KernelRequest& request) {
  const int32_t from = request.input_layouts[0].channel_block;
  const int32_t to = request.output_layouts[0].channel_block;
  if (from == 0 && to == 0) return request.inputs[0].shape.back();
  return from == 0 ? to : to == 0 ? from : std::min(from, to);
}

class Reorder final : public Kernel {
 public:
  explicit Reorder(const KernelRequest& request)
      : shape_(request.inputs[0].shape),
        element_bytes_(size_of(request.inputs[0].dtype)),
        unit_channels_(unit_channels(request)),
        from_(shape_, request.input_layouts[0], unit_channels_, element_bytes_),
        to_(shape_, request.output_layouts[0], unit_channels_, element_bytes_),
        move_(mover(from_.unit_bytes)) {}

  void run(const KernelArguments& arguments) const override {
    const int64_t positions = shape_.elements(1, shape_.rank() - 1);
    const int64_t units = shape_.back() / unit_channels_;
    const int64_t tiles = (positions + kTilePositions - 1) / kTilePositions;
    const int64_t image_bytes = positions * shape_.back() * element_bytes_;
    const int64_t tile_bytes = kTilePositions * shape_.back() * element_bytes_;
    const std::byte* from = arguments.inputs[0];
    std::byte* to = arguments.outputs[0];
    const int64_t grain = kGrainBytes / std::max<int64_t>(tile_bytes, 1) + 1;
    parallel_for(shape_[0] * tiles, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i % tiles * kTilePositions;
        const int64_t count = std::min(kTilePositions, positions - first);
        const int64_t image = i / tiles * image_bytes;
        for (int64_t unit = 0; unit < units; ++unit)
          move_(from + image + from_.offset(unit) + first * from_.position_bytes,
                from_.position_bytes, to + image + to_.offset(unit) + first * to_.position_bytes,
                to_.position_bytes, count);
      }
    });
  }

 private:
  Shape shape_;
  int64_t element_bytes_;
  int64_t unit_channels_;
  Units from_, to_;
  MoveUnits move_;
};

}  // namespace

KernelPtr make_reorder(const KernelRequest& request) {
  return std::make_unique<Reorder>(request);
}

}  // namespace plimsoll::kernels
