#include "plimsoll/report/console_progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plimsoll/base/printable.h"
#include "plimsoll/report/live_line.h"
#include "plimsoll/report/plain_line.h"

namespace plimsoll {
namespace {

constexpr std::chrono::milliseconds kBetweenDraws(100);

const NamedNumber* find(const Progress& progress, std::string_view name) {
  const auto found = std::ranges::find(progress.metrics, name, &NamedNumber::name);
  return found == progress.metrics.end() ? nullptr : &*found;
}

}  // namespace

ConsoleProgress::ConsoleProgress(std::FILE* out, const TerminalStyle& style, Monitored monitored)
    : out_(out),
      style_(style),
      monitored_(std::move(monitored)),
      is_monitor_named_(!monitored_.metric.empty()),
      table_(style) {}

ConsoleProgress::ConsoleProgress(Monitored monitored)
    : ConsoleProgress(stdout, terminal_style(stdout), std::move(monitored)) {}

ConsoleProgress::~ConsoleProgress() {
  const MovingLineLock lock;
  if (std::exchange(width_, 0) == 0) return;
  std::fputc('\n', out_);
  std::fflush(out_);
}

// Spaces do what an ANSI sequence would, in a notebook too. The last column stays free: some
// terminals go to the next line as soon as it is written.
void ConsoleProgress::wipe() {
  if (width_ == 0) return;
  const size_t columns = terminal_columns(out_, style_);
  std::fputc('\r', out_);
  for (size_t i = 0; i < std::min(width_, columns - 1); ++i) std::fputc(' ', out_);
  std::fputc('\r', out_);
  std::fflush(out_);
}

// The terminal may have become narrower: the next batch draws what fits.
void ConsoleProgress::draw_again() {
  if (width_ == 0) return;
  if (width_ < terminal_columns(out_, style_)) {
    std::fwrite(line_, 1, line_bytes_, out_);
    std::fflush(out_);
  } else {
    width_ = 0;
  }
}

void ConsoleProgress::on_batch_end(const Progress& progress) {
  if (!style_.is_live) return;
  const Clock::time_point now = Clock::now();
  if (drawn_at_ && now - *drawn_at_ < kBetweenDraws) return;
  const MovingLineLock lock;
  if (!lock.is_held()) return;
  drawn_at_ = now;
  const size_t columns = terminal_columns(out_, style_);
  const LiveLine line = live_line(progress, style_, columns - 1, line_, sizeof line_);
  std::fputc('\r', out_);
  std::fwrite(line.text.data(), 1, line.text.size(), out_);
  // Erases the rest of a longer line.
  for (size_t i = line.columns; i < std::min(width_, columns - 1); ++i) std::fputc(' ', out_);
  std::fflush(out_);
  line_bytes_ = line.text.size();
  width_ = std::max<size_t>(line.columns, 1);
}

void ConsoleProgress::write_broken(std::string_view line, size_t columns) {
  size_t column = 0;
  while (!line.empty()) {
    const std::string_view field = line.substr(0, line.find("  "));
    const size_t width = columns_of(field);
    const bool is_first = column == 0, is_broken = column + 2 + width >= columns;
    if (!is_first) std::fputs(is_broken ? "\n    " : "  ", out_);
    std::fwrite(field.data(), 1, field.size(), out_);
    column = (is_first ? 0 : is_broken ? 4 : column + 2) + width;
    line.remove_prefix(std::min(line.size(), field.size() + 2));
  }
  std::fputc('\n', out_);
}

// Compared in float32, as Keras and the kept models are.
bool ConsoleProgress::is_best(const Progress& progress) {
  if (!is_monitor_named_) {
    const std::string_view usual = find(progress, "val_loss") != nullptr ? "val_loss" : "loss";
    const bool was_validation = monitored_.metric == "val_loss";
    if (monitored_.metric != usual && !was_validation) {
      monitored_.metric = usual;
      best_.reset();
    }
  }
  const NamedNumber* const found = find(progress, monitored_.metric);
  if (found == nullptr || std::isnan(found->value)) return false;
  const auto value = static_cast<float>(found->value);
  if (best_) {
    const auto best = static_cast<float>(*best_);
    if (monitored_.rises ? value <= best : value >= best) return false;
  }
  best_ = found->value;
  return true;
}

void ConsoleProgress::write_row(const Progress& progress, size_t columns) {
  const bool is_better = is_best(progress);
  const std::string lines = table_.lines(
      {.progress = progress, .monitored = monitored_.metric, .is_best = is_better}, columns - 1);
  std::fwrite(lines.data(), 1, lines.size(), out_);
}

void ConsoleProgress::on_epoch_end(const Progress& progress) {
  const MovingLineLock lock;
  wipe();
  width_ = 0;
  const size_t columns = terminal_columns(out_, style_);
  if (style_.is_live && progress.work == "epoch") {
    write_row(progress, columns);
  } else {
    char buffer[sizeof line_];
    const std::string_view line = plain_line(progress, buffer, sizeof buffer);
    if (style_.is_live) {
      write_broken(line, columns);
    } else {
      std::fwrite(line.data(), 1, line.size(), out_);
      std::fputc('\n', out_);
    }
  }
  std::fflush(out_);
}

}  // namespace plimsoll
