#include "plimsoll/report/console_progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr size_t kLineBytes = 512;

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

}  // namespace

std::string_view progress_line(const Progress& progress, char* into, size_t size) {
  Line line(into, size);
  line.add("%.*s ", static_cast<int>(progress.phase.size()), progress.phase.data());
  if (progress.phase == "epoch")
    line.add("%lld/%lld  ", static_cast<long long>(progress.epoch + 1),
             static_cast<long long>(progress.epochs));
  line.add("%lld/%lld", static_cast<long long>(progress.batch),
           static_cast<long long>(progress.batches));
  for (const NamedNumber& metric : progress.metrics) {
    const bool is_tiny = metric.value != 0 && std::abs(metric.value) < 1e-3;
    line.add(is_tiny ? "  %.*s %.3e" : "  %.*s %.4f", static_cast<int>(metric.name.size()),
             metric.name.data(), metric.value);
  }
  const double seconds = std::max(progress.seconds, 1e-9);
  line.add("  ");
  add_with_commas(line, std::llround(static_cast<double>(progress.samples) / seconds));
  line.add(" %.*s/s  ", static_cast<int>(progress.unit.size()), progress.unit.data());
  const bool done = progress.batch == progress.batches;
  const double per_batch = seconds / static_cast<double>(std::max<int64_t>(progress.batch, 1));
  add_duration(line,
               done ? seconds : per_batch * static_cast<double>(progress.batches - progress.batch));
  line.add(done ? "  %.1f MiB" : " left  %.1f MiB",
           static_cast<double>(progress.resident_bytes) / (1 << 20));
  return line.text();
}

ConsoleProgress::ConsoleProgress(std::FILE* out, bool live) : out_(out), live_(live) {}

ConsoleProgress::ConsoleProgress() : ConsoleProgress(stdout, isatty(STDOUT_FILENO) != 0) {}

ConsoleProgress::~ConsoleProgress() {
  if (width_ == 0) return;
  std::fputc('\n', out_);
  std::fflush(out_);
}

void ConsoleProgress::draw(std::string_view line, std::string_view end) {
  if (live_) std::fputc('\r', out_);
  std::fwrite(line.data(), 1, line.size(), out_);
  // Erases the rest of a longer line.
  for (size_t i = line.size(); live_ && i < width_; ++i) std::fputc(' ', out_);
  std::fwrite(end.data(), 1, end.size(), out_);
  std::fflush(out_);
  width_ = line.size();
}

void ConsoleProgress::on_batch_end(const Progress& progress) {
  if (!live_ || progress.batch == progress.batches) return;
  if (progress.batch > 1 && progress.seconds < drawn_at_ + kRedrawSeconds) return;
  drawn_at_ = progress.seconds;
  char buffer[kLineBytes];
  draw(progress_line(progress, buffer, sizeof buffer), "");
}

void ConsoleProgress::on_epoch_end(const Progress& progress) {
  char buffer[kLineBytes];
  draw(progress_line(progress, buffer, sizeof buffer), "\n");
  drawn_at_ = -1;
  width_ = 0;
}

}  // namespace plimsoll
