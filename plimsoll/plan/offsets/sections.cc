#include "plimsoll/plan/offsets/sections.h"

#include <algorithm>

namespace plimsoll::plan {
namespace {

// Buffers that share any moment share the last beginning before the first end among them; such
// moments represent all others.
std::vector<int64_t> telling_moments(std::span<const Buffer> buffers) {
  enum Kind { kEnd, kBegin };  // at one moment what ends goes first
  std::vector<std::pair<int64_t, Kind>> events;
  for (const Buffer& buffer : buffers) {
    events.emplace_back(buffer.first, kBegin);
    events.emplace_back(int64_t{buffer.last} + 1, kEnd);
  }
  std::sort(events.begin(), events.end());
  std::vector<int64_t> moments;
  for (size_t i = 1; i < events.size(); ++i) {
    if (events[i - 1].second == kBegin && events[i].second == kEnd) {
      moments.push_back(events[i - 1].first);
    }
  }
  return moments;
}

}  // namespace

std::vector<Block> to_blocks(std::span<const Buffer> buffers) {
  const std::vector<int64_t> moments = telling_moments(buffers);
  const auto begin = moments.begin();
  std::vector<Block> blocks;
  blocks.reserve(buffers.size());
  for (const Buffer& buffer : buffers) {
    const auto left = std::lower_bound(begin, moments.end(), buffer.first) - begin;
    const auto right = std::upper_bound(begin, moments.end(), buffer.last) - begin - 1;
    blocks.push_back({buffer.bytes, static_cast<int32_t>(left), static_cast<int32_t>(right)});
  }
  return blocks;
}

}  // namespace plimsoll::plan
