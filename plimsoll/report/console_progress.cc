#include "plimsoll/report/console_progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "plimsoll/base/printable.h"

namespace plimsoll {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr size_t kLineBytes = 8192;

// Appends formatted text to a fixed buffer and cuts what does not fit.
class Line {
 public:
  Line(char* into, size_t size) : into_(into), size_(size) { into_[0] = '\0'; }

  template <class... Arguments>
  void add(const char* format, Arguments... arguments) {
    const int wrote = std::snprintf(into_ + used_, size_ - used_, format, arguments...);
    used_ = std::min(used_ + static_cast<size_t>(std::max(wrote, 0)), size_ - 1);
  }
  std::string_view text() const { return {into_, used_}; }

 private:
  char* into_;
  size_t size_;
  size_t used_ = 0;
};

void add_with_commas(Line& line, int64_t number) {
  if (number >= 1000) {
    add_with_commas(line, number / 1000);
    line.add(",%03d", static_cast<int>(number % 1000));
  } else {
    line.add("%d", static_cast<int>(number));
  }
}

void add_duration(Line& line, double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole >= 3600)
    line.add("%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  else
    line.add("%ld:%02ld", whole / 60, whole % 60);
}

// What a line shows.
struct Shown {
  bool speed = true, memory = true;
  size_t others = 0;  // metrics besides loss and val_loss
  bool time = true, validation_loss = true, batches = true, loss = true;

  // Leaves one more out, the least important of those that are left; false if none is.
  bool leave_out() {
    for (bool* field : {&speed, &memory})
      if (std::exchange(*field, false)) return true;
    if (others > 0) return static_cast<bool>(others--);
    for (bool* field : {&time, &validation_loss, &batches, &loss})
      if (std::exchange(*field, false)) return true;
    return false;
  }
};

bool is_loss(std::string_view name) {
  return name == "loss" || name == "val_loss";
}

Shown everything(const Progress& progress) {
  const auto losses = std::ranges::count_if(progress.metrics, is_loss, &NamedNumber::name);
  return {.others = progress.metrics.size() - static_cast<size_t>(losses)};
}

// Names are those of a file.
void add_name(Line& line, std::string_view name) {
  const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f'; };
  if (std::ranges::all_of(name, is_plain))
    line.add("  %.*s", static_cast<int>(name.size()), name.data());
  else
    line.add("  %s", printable(name).c_str());
}

void add_metrics(Line& line, const Progress& progress, const Shown& shown) {
  size_t others = 0;
  for (const auto& [name, value] : progress.metrics) {
    const bool is_shown = name == "loss"       ? shown.loss
                          : name == "val_loss" ? shown.validation_loss
                                               : ++others <= shown.others;
    if (!is_shown) continue;
    add_name(line, name);
    const bool is_tiny = value != 0 && std::abs(value) < 1e-3;
    line.add(is_tiny ? " %.3e" : " %.4f", value);
  }
}

void add_time(Line& line, const Progress& progress, double seconds) {
  const bool done = progress.batches == 0 || progress.batch == progress.batches;
  const double per_batch = seconds / static_cast<double>(std::max<int64_t>(progress.batch, 1));
  line.add(done ? "  time " : "  ");
  add_duration(line,
               done ? seconds : per_batch * static_cast<double>(progress.batches - progress.batch));
  if (!done) line.add(" left");
}

void add_batches(Line& line, const Progress& progress) {
  line.add(progress.phase == "epoch" ? "  %lld/" : " %lld/",
           static_cast<long long>(progress.batch));
  if (progress.batches == 0)
    line.add("?");
  else
    line.add("%lld", static_cast<long long>(progress.batches));
}

std::string_view line_of(const Progress& progress, const Shown& shown, char* into, size_t size) {
  Line line(into, size);
  line.add("%.*s", static_cast<int>(progress.phase.size()), progress.phase.data());
  if (progress.phase == "epoch")
    line.add(" %lld/%lld", static_cast<long long>(progress.epoch + 1),
             static_cast<long long>(progress.epochs));
  if (shown.batches) add_batches(line, progress);
  add_metrics(line, progress, shown);
  const double seconds = std::max(progress.seconds, 1e-9);
  if (shown.speed) {
    line.add("  ");
    add_with_commas(line, std::llround(static_cast<double>(progress.samples) / seconds));
    line.add(" %.*s/s", static_cast<int>(progress.unit.size()), progress.unit.data());
  }
  if (shown.time) add_time(line, progress, seconds);
  if (shown.memory)
    line.add("  memory %.1f MiB", static_cast<double>(progress.resident_bytes) / (1 << 20));
  return line.text();
}

// Without the characters that do not fit.
std::string_view cut(std::string_view line, size_t columns) {
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  while (columns_of(line) > columns) {
    while (is_inside(line.back())) line.remove_suffix(1);
    line.remove_suffix(1);
  }
  return line;
}

}  // namespace

std::string_view progress_line(const Progress& progress, char* into, size_t size) {
  return line_of(progress, everything(progress), into, size);
}

std::string_view progress_line(const Progress& progress, size_t columns, char* into, size_t size) {
  Shown shown = everything(progress);
  std::string_view line = line_of(progress, shown, into, size);
  while (columns_of(line) > columns && shown.leave_out())
    line = line_of(progress, shown, into, size);
  return cut(line, columns);
}

size_t terminal_columns(std::FILE* file) {
  constexpr size_t kUsual = 80;
  winsize window = {};
  if (ioctl(fileno(file), TIOCGWINSZ, &window) == 0 && window.ws_col > 0) return window.ws_col;
  const char* text = std::getenv("COLUMNS");
  size_t columns = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), columns);
  return columns > 0 ? columns : kUsual;
}

ConsoleProgress::ConsoleProgress(std::FILE* out, bool live) : out_(out), live_(live) {}

ConsoleProgress::ConsoleProgress() : ConsoleProgress(stdout, isatty(STDOUT_FILENO) != 0) {}

ConsoleProgress::~ConsoleProgress() {
  if (width_ == 0) return;
  std::fputc('\n', out_);
  std::fflush(out_);
}

// The last column stays free: some terminals go to the next line as soon as it is written.
void ConsoleProgress::draw(std::string_view line, size_t columns) {
  std::fputc('\r', out_);
  std::fwrite(line.data(), 1, line.size(), out_);
  const size_t width = columns_of(line);
  // Erases the rest of a longer line.
  for (size_t i = width; i < std::min(width_, columns - 1); ++i) std::fputc(' ', out_);
  std::fflush(out_);
  width_ = width;
}

void ConsoleProgress::on_batch_end(const Progress& progress) {
  if (!live_ || progress.batch == progress.batches) return;
  if (progress.batch > 1 && progress.seconds < drawn_at_ + kRedrawSeconds) return;
  drawn_at_ = progress.seconds;
  char buffer[kLineBytes];
  const size_t columns = terminal_columns(out_);
  draw(progress_line(progress, columns - 1, buffer, sizeof buffer), columns);
}

// Two spaces are between the fields.
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
}

void ConsoleProgress::on_epoch_end(const Progress& progress) {
  char buffer[kLineBytes];
  const std::string_view line = progress_line(progress, buffer, sizeof buffer);
  if (live_) {
    const size_t columns = terminal_columns(out_);
    if (width_ > 0) draw("", columns);
    std::fputc('\r', out_);
    write_broken(line, columns);
  } else {
    std::fwrite(line.data(), 1, line.size(), out_);
  }
  std::fputc('\n', out_);
  std::fflush(out_);
  drawn_at_ = -1;
  width_ = 0;
}

}  // namespace plimsoll
