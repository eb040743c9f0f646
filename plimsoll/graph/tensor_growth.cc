#include "plimsoll/graph/tensor_growth.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/bytes.h"

namespace plimsoll {
void TensorGrowth::look(std::span<const LiveTensors> now) {
  std::map<Line, Seen> lines;
  for (const LiveTensors& line : now) {
    const auto found = lines_.find({line.file, line.line});
    Seen seen = found == lines_.end() ? Seen{} : found->second;
    const bool has_grown = has_looked_ && line.count > seen.now.count;
    if (seen.growths == 0) seen.before = has_looked_ ? seen.now.count : line.count;
    seen.growths = has_grown ? seen.growths + 1 : 0;
    seen.now = line;
    lines[{line.file, line.line}] = std::move(seen);
  }
  lines_ = std::move(lines);
  has_looked_ = true;
}

std::vector<GrownLine> TensorGrowth::grown(int looks) const {
  std::vector<GrownLine> grown;
  for (const auto& [line, seen] : lines_)
    if (seen.growths >= looks) grown.push_back({seen.now, seen.now.count - seen.before});
  std::ranges::stable_sort(grown, std::ranges::greater(),
                           [](const GrownLine& line) { return line.now.bytes; });
  return grown;
}

std::string place_of(const LiveTensors& line) {
  return fmt::format("{}:{}", line.file, line.line);
}

std::string heaviest_lines(std::span<const LiveTensors> lines, const std::string& lead,
                           int64_t least_bytes) {
  constexpr size_t kShown = 3;
  std::string text;
  for (const LiveTensors& line : lines.first(std::min(kShown, lines.size()))) {
    if (line.bytes < least_bytes) continue;
    text += fmt::format("{}{} ({} in {}{}", (text.empty() ? lead : ", "), place_of(line),
                        format_bytes(line.bytes), line.count,
                        (line.count == 1 ? " tensor)" : " tensors)"));
  }
  return text;
}

}  // namespace plimsoll
