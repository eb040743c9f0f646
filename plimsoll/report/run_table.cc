#include "plimsoll/report/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/printable.h"

namespace plimsoll {
namespace {

using Cells = std::vector<std::string>;

constexpr size_t kGap = 2, kShortestName = 8;
// Columns by the order in which they are left out.
constexpr size_t kLeftOut[] = {6, 5, 4, 2, 3};

std::string time_text(double seconds) {
  constexpr double kMost = 1e9;
  const auto whole =
      static_cast<int64_t>(std::clamp(std::isfinite(seconds) ? seconds : 0, 0.0, kMost));
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string peak_text(const RunSummary& run) {
  const auto text = [](int64_t bytes) { return bytes > 0 ? format_bytes(bytes) : "-"; };
  return (run.is_peak_of_epochs ? "≥ " : "") + text(run.measured_peak_bytes) + " / " +
         text(run.planned_peak_bytes);
}

// "2026-01-31 12:00"
std::string start_text(const RunSummary& run) {
  std::string text = run.started.substr(0, 16);
  if (const size_t t = text.find('T'); t != text.npos) text[t] = ' ';
  return text.empty() ? "-" : text;
}

Cells cells_of(const RunSummary& run) {
  return {printable(run.name),
          printable(run.status),
          run.planned_epochs > 0 ? fmt::format("{}/{}", run.epochs, run.planned_epochs)
                                 : fmt::format("{}", run.epochs),
          run.metric.empty() ? "-" : printable(fmt::format("{} {:.4g}", run.metric, run.best)),
          peak_text(run),
          run.seconds > 0 ? time_text(run.seconds) : "-",
          start_text(run)};
}

size_t width_of(const std::vector<size_t>& widths) {
  size_t width = 0;
  for (const size_t each : widths)
    if (each > 0) width += each + kGap;
  return width - kGap;
}

// Runs differ more often in the end of their names than in the beginning.
std::string cut_name(const std::string& name, size_t columns) {
  if (columns_of(name) <= columns) return name;
  size_t begin = 0;
  while (begin < name.size() && columns_of(std::string_view(name).substr(begin)) + 1 > columns) do
      ++begin;
    while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xc0) == 0x80);
  return "…" + name.substr(begin);
}

std::string padded(const std::string& text, size_t columns) {
  const size_t used = columns_of(text);
  return text + std::string(used < columns ? columns - used : 0, ' ');
}

}  // namespace

std::string run_table(std::span<const RunSummary> runs, size_t columns) {
  std::vector<Cells> rows = {
      {"RUN", "STATUS", "EPOCHS", "BEST", "PEAK / PLANNED", "TIME", "STARTED"}};
  for (const RunSummary& run : runs) rows.push_back(cells_of(run));
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const Cells& cells : rows)
    for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], columns_of(cells[i]));
  for (const size_t column : kLeftOut) {
    const size_t rest = width_of(widths) - widths[0] + std::min(widths[0], 2 * kShortestName);
    if (columns > 0 && rest > columns) widths[column] = 0;
  }
  if (columns > 0 && width_of(widths) > columns) {
    const size_t rest = width_of(widths) - widths[0];
    widths[0] = std::max(kShortestName, columns > rest ? columns - rest : 0);
  }
  std::string text;
  for (const Cells& cells : rows) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i)
      if (widths[i] > 0)
        line += padded(i == 0 ? cut_name(cells[i], widths[0]) : cells[i], widths[i] + kGap);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace plimsoll
