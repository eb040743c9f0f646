#include "plimsoll/report/epoch_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/printable.h"

namespace plimsoll {
namespace {

constexpr size_t kNumberColumns = 8, kTimeColumns = 7, kMemoryColumns = 10;
constexpr size_t kRoomForWord = 60;  // columns of a terminal in which "best" is written out
constexpr int kAlways = 1 << 20;

template <class... Arguments>
std::string formatted(const char* format, Arguments... arguments) {
  std::array<char, 400> text;  // a double has up to 309 digits before the point
  std::snprintf(text.data(), text.size(), format, arguments...);
  return text.data();
}

std::string epoch_time_text(double seconds) {
  if (seconds < 59.95) return formatted("%.1fs", seconds);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 3600) return formatted("%ld:%02ld", whole / 60, whole % 60);
  return formatted("%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string right(std::string_view text, size_t columns) {
  const std::string_view cut = within_columns(text, columns);
  return std::string(columns - columns_of(cut), ' ') + std::string(cut);
}

std::string epoch_text(const Progress& progress, int64_t epoch) {
  return formatted("%lld/%lld", static_cast<long long>(epoch),
                   static_cast<long long>(progress.epochs));
}

}  // namespace

std::string number_in_table(double value) {
  const bool is_tiny = value != 0 && std::abs(value) < 1e-3;
  for (int digits = 4; digits >= 0 && !is_tiny; --digits)
    if (std::string text = formatted("%.*f", digits, value); text.size() <= kNumberColumns)
      return text;
  for (int digits = 3; digits > 0; --digits)
    if (std::string text = formatted("%.*e", digits, value); text.size() <= kNumberColumns)
      return text;
  return formatted("%.0e", value);
}

// New ones are put after the one that is before them in this epoch.
void EpochTable::note_metrics(const Progress& progress) {
  auto place = metrics_.begin();
  for (const NamedNumber& metric : progress.metrics) {
    auto found = std::ranges::find(metrics_, metric.name);
    if (found == metrics_.end()) found = metrics_.emplace(place, metric.name);
    place = found + 1;
  }
}

std::vector<EpochTable::Column> EpochTable::columns_of_row(const Row& row) const {
  const size_t epoch = columns_of(epoch_text(row.progress, row.progress.epochs));
  std::vector<Column> columns = {{"epoch", std::max<size_t>(5, epoch), kAlways},
                                 {"time", kTimeColumns, kAlways - 4}};
  int others = static_cast<int>(metrics_.size());
  for (const std::string& name : metrics_) {
    const int importance = name == row.monitored ? kAlways - 1
                           : name == "loss"      ? kAlways - 2
                           : name == "val_loss"  ? kAlways - 3
                                                 : others--;
    const std::string shown = printable(name);
    columns.push_back({shown, std::max(kNumberColumns, columns_of(shown)), importance});
  }
  columns.push_back({"memory", kMemoryColumns, 0});
  return columns;
}

std::vector<std::string> EpochTable::cells_of(const Progress& progress) const {
  std::vector<std::string> cells = {epoch_text(progress, progress.epoch + 1),
                                    epoch_time_text(progress.seconds)};
  for (const std::string& name : metrics_) {
    const auto found = std::ranges::find(progress.metrics, name, &NamedNumber::name);
    cells.push_back(found == progress.metrics.end() ? "-" : number_in_table(found->value));
  }
  cells.push_back(format_bytes(progress.resident_bytes));
  return cells;
}

std::string EpochTable::lines(const Row& row, size_t columns) {
  note_metrics(row.progress);
  const std::vector<Column> all = columns_of_row(row);
  const std::vector<std::string> cells = cells_of(row.progress);
  const std::string_view mark = columns >= kRoomForWord ? "best" : "*";
  std::vector<bool> is_shown(all.size(), true);
  size_t width = 2 + mark.size(), left_out = 0;  // "+3" in the header takes no more than the mark
  for (const Column& column : all) width += column.width + 2;
  for (width -= 2; width > columns && left_out + 1 < all.size(); ++left_out) {
    size_t least = 0;
    for (size_t i = 0; i < all.size(); ++i)
      if (is_shown[i] && (!is_shown[least] || all[i].importance < all[least].importance)) least = i;
    is_shown[least] = false;
    width -= all[least].width + 2;
  }
  std::vector<Column> shown;
  std::string header, line;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_shown[i]) continue;
    const std::string_view gap = shown.empty() ? "" : "  ";
    header += std::string(gap) + right(all[i].name, all[i].width);
    line += std::string(gap) + right(cells[i], all[i].width);
    shown.push_back(all[i]);
  }
  const std::string more = left_out > 0 ? formatted(" +%zu", left_out) : "";
  header = std::string(within_columns(header, columns));
  if (columns_of(header) + more.size() <= columns) header += more;
  line = std::string(within_columns(line, columns));
  if (row.is_best && columns_of(line) + 2 + mark.size() <= columns)
    line += "  " +
            (style_.has_colours ? "\x1b[32m" + std::string(mark) + "\x1b[0m" : std::string(mark));
  const bool is_new = shown != shown_;
  shown_ = std::move(shown);
  return (is_new ? header + "\n" : "") + line + "\n";
}

}  // namespace plimsoll
