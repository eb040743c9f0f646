#include "plimsoll/report/plain_line.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/report/text_line.h"

namespace plimsoll {
namespace {

void add_done_batches(TextLine& line, const Progress& progress) {
  line.add(progress.work == "epoch" ? "  %lld/" : " %lld/", static_cast<long long>(progress.batch));
  if (progress.batches == 0)
    line.add("?");
  else
    line.add("%lld", static_cast<long long>(progress.batches));
}

}  // namespace

std::string_view plain_line(const Progress& progress, char* into, size_t size) {
  TextLine line(into, size);
  line.add_text(progress.work);
  if (progress.work == "epoch")
    line.add(" %lld/%lld", static_cast<long long>(progress.epoch + 1),
             static_cast<long long>(progress.epochs));
  add_done_batches(line, progress);
  for (const auto& [name, value] : progress.metrics) {
    line.add("  ");
    line.add_name(name);
    line.add(" ");
    line.add_metric(value);
  }
  const double seconds = std::max(progress.seconds, 1e-9);
  line.add("  ");
  line.add_count(std::llround(static_cast<double>(progress.samples) / seconds));
  line.add(" %.*s/s  time ", static_cast<int>(progress.unit.size()), progress.unit.data());
  line.add_duration(seconds);
  line.add("  memory ");
  line.add_mebibytes(progress.resident_bytes);
  return line.text();
}

}  // namespace plimsoll
