#include "plimsoll/data/loader/read_ahead.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "plimsoll/base/trace.h"
#include "plimsoll/data/loader/batch_reader.h"

namespace plimsoll {
namespace {

constexpr int kNiceness = 5;              // computing goes first
constexpr int kCalmWaits = 64;            // before a worker rests
constexpr int64_t kChunkBytes = 1 << 18;  // enough that handing it out costs nothing

}  // namespace

ReadAhead::ReadAhead(const Source& source, int workers) : source_(source), most_workers_(workers) {}

ReadAhead::~ReadAhead() {
  drop_all();
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  work_.notify_all();
}

int ReadAhead::workers_at_work() const {
  const std::lock_guard lock(mutex_);
  return workers_.empty() ? 0 : at_work_;
}

void ReadAhead::add(LoadWindow& window) {
  const int64_t rows = std::max<int64_t>(1, window.rows());
  const int64_t threads = std::max(1, most_workers_);
  const int64_t row_bytes = std::max<int64_t>(1, window.bytes() / rows);
  const int64_t fair = (rows + threads - 1) / threads;
  const std::lock_guard lock(mutex_);
  for (int i = static_cast<int>(workers_.size()); i < most_workers_; ++i)
    workers_.emplace_back([this, i] { work(i); });
  if (done_jobs_.empty()) done_jobs_.emplace_back();
  done_jobs_.front() = {&window, std::clamp<int64_t>(kChunkBytes / row_bytes, 1, fair)};
  jobs_.splice(jobs_.end(), done_jobs_, done_jobs_.begin());
  work_.notify_all();
}

void ReadAhead::wait(LoadWindow& window) {
  const TraceSpan span(BatchReader::kWaiting);
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  const auto job = std::ranges::find(jobs_, &window, &Job::window);
  const bool was_late = !job->is_done();
  while (most_workers_ == 0 && job->has_work()) do_chunk(*job, lock);
  done_.wait(lock, [&] { return job->is_done(); });
  done_jobs_.splice(done_jobs_.end(), jobs_, job);
  tune(was_late);
  lock.unlock();
  waited_seconds_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void ReadAhead::drop_all() {
  std::unique_lock lock(mutex_);
  for (Job& job : jobs_) {
    done_.wait(lock, [&] { return job.begun == job.ended; });
    // No worker takes a job whose rows have all begun.
    job.begun = job.ended = job.window->rows();
  }
  done_jobs_.splice(done_jobs_.end(), jobs_);
}

void ReadAhead::work(int worker) {
  setpriority(PRIO_PROCESS, 0, kNiceness);  // of this thread; it is no harm where it fails
  std::unique_lock lock(mutex_);
  for (;;) {
    Job* job = nullptr;
    work_.wait(lock, [&] { return is_ending_ || (job = next_job(worker)) != nullptr; });
    if (is_ending_) return;
    do_chunk(*job, lock);
  }
}

ReadAhead::Job* ReadAhead::next_job(int worker) {
  if (worker >= at_work_) return nullptr;
  const auto job = std::ranges::find_if(jobs_, &Job::has_work);
  return job == jobs_.end() ? nullptr : &*job;
}

void ReadAhead::do_chunk(Job& job, std::unique_lock<std::mutex>& lock) {
  const int64_t begin = job.begun;
  const int64_t end = std::min(begin + job.chunk, job.window->rows());
  job.begun = end;
  lock.unlock();
  {
    const TraceSpan span(BatchReader::kReading);
    job.window->read(source_, begin, end);
  }
  lock.lock();
  job.ended += end - begin;
  if (job.begun == job.ended) done_.notify_all();
}

// A wait that took time puts another worker to work; a worker that is not needed rests.
void ReadAhead::tune(bool was_late) {
  calm_ = was_late ? 0 : calm_ + 1;
  if (was_late && at_work_ < most_workers_) {
    ++at_work_;
    work_.notify_all();
  } else if (calm_ == kCalmWaits) {
    calm_ = 0;
    at_work_ = std::max(1, at_work_ - 1);
  }
}

}  // namespace plimsoll
