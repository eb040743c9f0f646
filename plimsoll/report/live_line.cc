#include "plimsoll/report/live_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "plimsoll/base/printable.h"
#include "plimsoll/report/text_line.h"

namespace plimsoll {
namespace {

constexpr int kBarCells = 16, kShortBarCells = 6, kLoadCells = 8, kShortLoadCells = 6;
constexpr double kNotedWait = 0.05;

// What a line shows.
struct Shown {
  bool speed = true, memory = true, wide_bar = true, load = true, wait = true, bar = true;
  size_t others = 0;  // metrics besides loss and val_loss
  bool time = true, validation_loss = true, batches = true, head = true, loss = true;

  // Leaves one more out, the least important of those that are left; false if none is.
  bool leave_out() {
    for (bool* field : {&speed, &memory, &wide_bar, &load, &wait})
      if (std::exchange(*field, false)) return true;
    if (others > 0) return static_cast<bool>(others--);
    for (bool* field : {&bar, &time, &validation_loss, &batches})
      if (std::exchange(*field, false)) return true;
    if (!loss) return false;
    // The loss alone; if even that does not fit, what the line is about, for a number that is cut
    // is another one.
    loss = head;
    head = !head;
    return true;
  }
};

bool is_loss(std::string_view name) {
  return name == "loss" || name == "val_loss";
}

Shown everything(const Progress& progress) {
  const auto losses = std::ranges::count_if(progress.metrics, is_loss, &NamedNumber::name);
  return {.others = progress.metrics.size() - static_cast<size_t>(losses),
          .loss = std::ranges::count(progress.metrics, "loss", &NamedNumber::name) > 0};
}

void repeat(TextLine& line, const char* cell, int times) {
  for (int i = 0; i < times; ++i) line.add("%s", cell);
}

// Half cells make it move more smoothly. ASCII has an arrow instead.
void add_bar(TextLine& line, double share, int cells, const TerminalStyle& style) {
  const int halves = static_cast<int>(std::clamp(share, 0.0, 1.0) * cells * 2);
  const int full = halves / 2;
  if (!style.is_utf8) {
    line.add(" [");
    repeat(line, "=", full);
    if (full < cells) line.add(">");
    repeat(line, " ", cells - full - 1);
    line.add("]");
    return;
  }
  line.add(" ");
  if (style.has_colours) line.add_code("\x1b[32m");
  repeat(line, "━", full);
  if (halves % 2 == 1) line.add("╸");
  if (style.has_colours) line.add_code("\x1b[0m");
  repeat(line, "─", cells - full - halves % 2);
}

void add_batches(TextLine& line, const Progress& progress) {
  if (progress.batches == 0) {
    line.add(" %lld/?", static_cast<long long>(progress.batch));
    return;
  }
  const int digits = std::snprintf(nullptr, 0, "%lld", static_cast<long long>(progress.batches));
  line.add(" %*lld/%lld", digits, static_cast<long long>(progress.batch),
           static_cast<long long>(progress.batches));
}

void add_time(TextLine& line, const Progress& progress) {
  const bool is_unknown = progress.batches == 0 || progress.batch >= progress.batches;
  line.add(is_unknown ? "  time " : "  ");
  const double per_batch =
      progress.seconds / static_cast<double>(std::max<int64_t>(progress.batch, 1));
  line.add_duration(is_unknown
                        ? progress.seconds
                        : per_batch * static_cast<double>(progress.batches - progress.batch));
  if (!is_unknown) line.add(" left");
}

void add_metrics(TextLine& line, const Progress& progress, const Shown& shown) {
  size_t others = 0;
  for (const auto& [name, value] : progress.metrics) {
    const bool is_shown = name == "loss"       ? shown.loss
                          : name == "val_loss" ? shown.validation_loss
                                               : ++others <= shown.others;
    if (!is_shown) continue;
    if (shown.head) line.add("  ");
    line.add_name(name);
    line.add(" ");
    line.add_metric(value);
  }
}

// The load line itself: a cell is the mark of the plan, whether memory is beyond it or not.
void add_load(TextLine& line, const Progress& progress, int cells, const TerminalStyle& style) {
  const auto used = static_cast<double>(progress.resident_bytes);
  const auto planned = static_cast<double>(progress.planned_bytes);
  const double all = std::max({used, planned, static_cast<double>(progress.budget_bytes)});
  const int mark = std::min(cells - 1, static_cast<int>(planned / all * cells));
  const auto full = static_cast<int>(std::lround(used / all * cells));
  line.add(" ");
  for (int i = 0; i < cells; ++i) {
    if (i == mark)
      line.add(style.is_utf8 ? "│" : "|");
    else if (style.is_utf8)
      line.add(i < full ? "█" : "░");
    else
      line.add(i < full ? "#" : ".");
  }
}

void add_memory(TextLine& line, const Progress& progress, const Shown& shown,
                const TerminalStyle& style) {
  const bool has_load = shown.load && progress.planned_bytes > 0;
  if (!shown.memory && !has_load) return;
  line.add(shown.memory ? "  memory" : "  mem");
  if (shown.memory) {
    line.add(" ");
    line.add_mebibytes(progress.resident_bytes);
  }
  if (has_load) add_load(line, progress, shown.memory ? kLoadCells : kShortLoadCells, style);
}

void add_wait(TextLine& line, const Progress& progress) {
  const double share = progress.seconds > 0 ? progress.wait_seconds / progress.seconds : 0;
  if (share > kNotedWait) line.add("  waits for data %.0f%%", 100 * std::min(share, 1.0));
}

void add_speed(TextLine& line, const Progress& progress) {
  line.add("  ");
  line.add_count(
      std::llround(static_cast<double>(progress.samples) / std::max(progress.seconds, 1e-9)));
  line.add(" %.*s/s", static_cast<int>(progress.unit.size()), progress.unit.data());
}

TextLine line_of(const Progress& progress, const Shown& shown, const TerminalStyle& style,
                 char* into, size_t size) {
  TextLine line(into, size);
  if (shown.head) line.add_text(progress.work);
  if (shown.head && progress.work == "epoch")
    line.add(" %lld/%lld", static_cast<long long>(progress.epoch + 1),
             static_cast<long long>(progress.epochs));
  if (shown.bar && progress.batches > 0)
    add_bar(line, static_cast<double>(progress.batch) / static_cast<double>(progress.batches),
            shown.wide_bar ? kBarCells : kShortBarCells, style);
  if (shown.batches) add_batches(line, progress);
  if (shown.time) add_time(line, progress);
  add_metrics(line, progress, shown);
  add_memory(line, progress, shown, style);
  if (shown.wait) add_wait(line, progress);
  if (shown.speed) add_speed(line, progress);
  return line;
}

}  // namespace

// Colours are in the bar alone, which is not there if a line is cut.
LiveLine live_line(const Progress& progress, const TerminalStyle& style, size_t columns, char* into,
                   size_t size) {
  Shown shown = everything(progress);
  TextLine line = line_of(progress, shown, style, into, size);
  while (line.columns() > columns && shown.leave_out())
    line = line_of(progress, shown, style, into, size);
  if (line.columns() <= columns) return {line.text(), line.columns()};
  const std::string_view text = within_columns(line.text(), columns);
  return {text, columns_of(text)};
}

}  // namespace plimsoll
