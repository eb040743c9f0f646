// The progress of runs on sys.stdout.
#include <nanobind/stl/map.h>

#include <cstdio>

#include "plimsoll/base/process_memory.h"
#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/callbacks/callback.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

ssize_t write_to_python(void*, const char* bytes, size_t size) {
  const nb::gil_scoped_acquire gil;
  try {
    const nb::object out = nb::module_::import_("sys").attr("stdout");
    if (out.is_none()) return static_cast<ssize_t>(size);
    out.attr("write")(nb::str(bytes, size));
    out.attr("flush")();
  } catch (const nb::python_error&) {
    // A console that is gone does not end a run.
  }
  return static_cast<ssize_t>(size);
}

// ConsoleProgress on a stream that ends in sys.stdout.
class PythonProgress final : public RunObserver {
 public:
  explicit PythonProgress(const TerminalStyle& style)
      : out_(fopencookie(
            nullptr, "w",
            {.read = nullptr, .write = write_to_python, .seek = nullptr, .close = nullptr})),
        progress_(std::make_unique<ConsoleProgress>(out_, style)) {}
  // Another thread may be writing above the line, for which it needs the GIL.
  ~PythonProgress() override {
    const nb::gil_scoped_acquire held;
    const nb::gil_scoped_release released;
    progress_.reset();
    std::fclose(out_);
  }
  void on_batch_end(const Progress& progress) override { progress_->on_batch_end(progress); }
  void on_epoch_end(const Progress& progress) override { progress_->on_epoch_end(progress); }

 private:
  std::FILE* out_;
  std::unique_ptr<ConsoleProgress> progress_;
};

// A line per epoch: live redraws it as batches end. `terminal` is the file number that knows the
// columns; -1: none does.
std::shared_ptr<PythonProgress> progress_of(bool is_live, bool is_utf8, bool has_colours,
                                            int terminal) {
  const nb::gil_scoped_release released;
  return std::make_shared<PythonProgress>(TerminalStyle{
      .is_live = is_live, .is_utf8 = is_utf8, .has_colours = has_colours, .terminal = terminal});
}

// The progress of a loop in Python, which says itself what was done.
class LoopProgress {
 public:
  LoopProgress(bool is_live, bool is_utf8, bool has_colours, int terminal)
      : console_(progress_of(is_live, is_utf8, has_colours, terminal)) {}

  // The work is "epoch", "evaluate" or "predict"; 0 batches: how many there are is not known.
  void begin(std::string work, int64_t epoch, int64_t epochs, int64_t batches) {
    work_ = std::move(work);
    progress_ = {.work = work_, .epoch = epoch, .epochs = epochs, .batches = batches};
  }
  void end_batch(int64_t done, int64_t samples, double seconds,
                 const std::vector<std::pair<std::string, double>>& logs) {
    tell(done, samples, seconds, logs, false);
  }
  void end(int64_t done, int64_t samples, double seconds,
           const std::vector<std::pair<std::string, double>>& logs) {
    tell(done, samples, seconds, logs, true);
  }

 private:
  void tell(int64_t done, int64_t samples, double seconds,
            const std::vector<std::pair<std::string, double>>& logs, bool is_end) {
    std::vector<NamedNumber> numbers;
    for (const auto& [name, value] : logs) numbers.push_back({name, value});
    progress_.batch = done;
    progress_.samples = samples;
    progress_.seconds = seconds;
    progress_.resident_bytes = process_memory().resident_bytes;
    progress_.metrics = numbers;
    const nb::gil_scoped_release released;
    is_end ? console_->on_epoch_end(progress_) : console_->on_batch_end(progress_);
  }

  std::shared_ptr<PythonProgress> console_;
  std::string work_;
  Progress progress_;
};

}  // namespace

void bind_progress(nb::module_& module) {
  module.def("python_progress", [](bool is_live, bool is_utf8, bool has_colours, int terminal) {
    return AnyCallback(
        std::shared_ptr<RunObserver>(progress_of(is_live, is_utf8, has_colours, terminal)));
  });
  nb::class_<LoopProgress>(module, "LoopProgress")
      .def(nb::init<bool, bool, bool, int>())
      .def("begin", &LoopProgress::begin)
      .def("end_batch", &LoopProgress::end_batch)
      .def("end", &LoopProgress::end);
}

}  // namespace plimsoll::python
