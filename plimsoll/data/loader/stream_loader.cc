#include "plimsoll/data/loader/stream_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "plimsoll/base/error.h"
#include "plimsoll/base/trace.h"

namespace plimsoll {
namespace {

// Of fewer records no share is known.
constexpr int64_t kRecordsOfAShare = 1000;

}  // namespace

int64_t stream_loader_bytes(const Specs& fields, int64_t records, int windows) {
  int64_t bytes = 0;
  for (const Spec& field : fields) bytes += field.bytes() * records * windows;
  return bytes;
}

StreamLoader::StreamLoader(SourcePtr source, const StreamLoaderOptions& options)
    : source_(std::move(source)),
      options_(options),
      planned_fields_(source_->fields()),
      bad_(kRecordsOfAShare, options.bad),
      expected_(source_->stream()->batches()) {
  const int64_t records = source_->stream()->first_records();
  for (int i = 0; i < std::max(1, options.windows); ++i) {
    windows_.push_back(std::make_unique<Window>());
    windows_.back()->fields = planned_fields_;
    make_room(*windows_.back(), records);
  }
}

StreamLoader::~StreamLoader() {
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  work_.notify_all();
}

void StreamLoader::make_room(Window& window, int64_t records) const {
  window.bytes.resize(window.fields.size());
  for (size_t i = 0; i < window.fields.size(); ++i) {
    const int64_t bytes = window.fields[i].bytes() * records;
    StoragePtr& storage = window.bytes[i];
    if (storage != nullptr && storage->bytes() >= bytes) continue;
    storage.reset();
    storage = std::make_shared<Storage>(bytes);
  }
}

void StreamLoader::touch() {
  for (const auto& window : windows_)
    for (const StoragePtr& bytes : window->bytes) bytes->touch();
}

void StreamLoader::start_epoch(int64_t epoch) {
  std::unique_lock lock(mutex_);
  may_read_ = false;
  done_.wait(lock, [&] { return !is_reading_; });
  current_ = nullptr;
  ready_.clear();
  free_.clear();
  for (const auto& window : windows_) free_.push_back(window.get());
  parts_ = PartSizes(0, 0);
  epoch_ = epoch;
  batches_ = piece_ = 0;
  source_->stream()->begin_pass();
  may_read_ = true;
  if (windows_.size() > 1 && !reader_.joinable()) reader_ = std::jthread([this] { read_ahead(); });
  work_.notify_all();
}

void StreamLoader::read_ahead() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return is_ending_ || (may_read_ && !free_.empty()); });
    if (is_ending_) return;
    Window& window = *free_.back();
    free_.pop_back();
    is_reading_ = true;
    lock.unlock();
    fill(window);
    lock.lock();
    is_reading_ = false;
    if (window.is_end || window.error != nullptr) may_read_ = false;
    ready_.push_back(&window);
    done_.notify_all();
  }
}

void StreamLoader::fill(Window& window) {
  const TraceSpan span(kReading);
  window.numbers.clear();
  window.bad.clear();
  window.error = nullptr;
  window.is_end = false;
  const StreamSource& stream = *source_->stream();
  try {
    const int64_t records = stream.next();
    window.is_end = records == 0;
    if (window.is_end) return;
    window.fields = source_->fields();
    make_room(window, records);
    read_rows(window, stream.first_number(), records);
    stream.release();
  } catch (...) {
    window.error = std::current_exception();
  }
}

// All at once, else one by one: a bad record leaves no gap.
void StreamLoader::read_rows(Window& window, int64_t first, int64_t count) {
  const auto places = [&] {
    std::vector<std::byte*> into;
    const auto rows = static_cast<int64_t>(window.numbers.size());
    for (size_t i = 0; i < window.fields.size(); ++i)
      into.push_back(window.bytes[i]->data() + rows * window.fields[i].bytes());
    return into;
  };
  try {
    std::vector<std::byte*> into = places();
    source_->read_run({first, epoch_}, count, into);
    for (int64_t i = 0; i < count; ++i) window.numbers.push_back(first + i);
    return;
  } catch (const Error&) {
  }
  for (int64_t number = first; number < first + count; ++number) try {
      source_->read({number, epoch_}, places());
      window.numbers.push_back(number);
    } catch (const Error&) {
      window.bad.emplace_back(number, std::current_exception());
    }
}

StreamLoader::Window& StreamLoader::front() {
  const TraceSpan span(kWaiting);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  if (windows_.size() == 1 && ready_.empty()) {
    Window& window = *free_.back();
    free_.pop_back();
    fill(window);
    ready_.push_back(&window);
  }
  done_.wait(lock, [&] { return !ready_.empty(); });
  waited_seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
  return *ready_.front();
}

void StreamLoader::give_back_current() {
  if (current_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  free_.push_back(std::exchange(current_, nullptr));
  work_.notify_all();
}

bool StreamLoader::has_rest() const {
  return current_ != nullptr && piece_ + parts_.batch < std::ssize(current_->numbers);
}

bool StreamLoader::has_next() {
  if (has_rest()) return true;
  give_back_current();
  return !front().is_end;
}

int64_t StreamLoader::begin_batch() {
  if (has_rest()) {
    piece_ += parts_.batch;
    return begin_piece();
  }
  parts_ = PartSizes(0, 0);
  for (;;) {
    give_back_current();
    Window& window = front();
    if (window.error != nullptr) std::rethrow_exception(window.error);
    if (window.is_end) {
      if (batches_ > 0) expected_ = batches_;
      return 0;
    }
    {
      const std::lock_guard lock(mutex_);
      ready_.pop_front();
    }
    current_ = &window;
    ++batches_;
    piece_ = 0;
    note_bad();
    if (!window.numbers.empty()) return begin_piece();
  }
}

int64_t StreamLoader::begin_piece() {
  const int64_t left = std::ssize(current_->numbers) - piece_;
  parts_ = PartSizes(options_.most_records > 0 ? std::min(left, options_.most_records) : left, 0);
  first_row_ = piece_;
  return parts_.batch;
}

void StreamLoader::note_bad() {
  if (!current_->numbers.empty()) bad_.has_seen(current_->numbers.back() + 1);
  for (const auto& [number, error] : current_->bad)
    bad_.add(source_->name({number, epoch_}), epoch_, error);
}

const std::byte* StreamLoader::field(int i) const {
  const auto k = static_cast<size_t>(i);
  return current_->bytes[k]->data() + first_row_ * current_->fields[k].bytes();
}

std::string StreamLoader::record_name(int64_t row) const {
  return source_->name({current_->numbers[static_cast<size_t>(piece_ + row)], epoch_});
}

void StreamLoader::save_state(StateWriter& to) const {
  to.number("epoch", epoch_);
  to.number("batches", batches_);
  if (expected_) to.number("expected", *expected_);
  StateWriter bad = to.within("bad");
  bad_.save_state(bad);
}

void StreamLoader::load_state(const StateReader& from) {
  const int64_t batches = from.number("batches");
  bad_.load_state(from.within("bad"));
  start_epoch(from.number("epoch"));
  // No record of the last batch may have been given: then the pass ends with it.
  while (batches_ < batches)
    if (begin_batch() == 0 && batches_ < batches)
      throw InvalidArgument(
          fmt::format("{}: the data has ended after {} batches; {} were read before", from.path(),
                      batches_, batches));
  if (from.has("expected")) expected_ = from.number("expected");
}

}  // namespace plimsoll
