// Work on the numbers [0, size) in chunks that several threads take in turn.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace plimsoll {

template <class Result>
class InChunks {
 public:
  // On any of the threads.
  using Work = std::function<Result(int64_t begin, int64_t end)>;
  // One at a time and in the order of the chunks, so that what is made of them does not depend on
  // the number of threads.
  using Take = std::function<void(Result&&)>;
  // How many numbers are done; several times per second, on the calling thread.
  using Progress = std::function<void(int64_t)>;

  InChunks(int64_t size, int64_t chunk, Work work, Take take)
      : size_(size),
        chunk_(chunk),
        chunks_((size + chunk - 1) / chunk),
        work_(std::move(work)),
        take_(std::move(take)) {}

  // Returns when all is done; an exception of any of the functions ends the work and is thrown.
  void run(int threads, const Progress& progress) {
    std::vector<std::jthread> workers;
    const StopAtEnd stop{stop_};  // before the workers are joined
    for (int64_t i = 0; i < std::min<int64_t>(threads, chunks_); ++i)
      workers.emplace_back([this] { work_on(); });
    for (int64_t done = 0; done < size_;) {
      done = wait();
      if (progress) progress(done);
    }
  }

 private:
  struct StopAtEnd {
    std::atomic<bool>& stop;
    ~StopAtEnd() { stop = true; }
  };

  // A tenth of a second at most. How many numbers are done.
  int64_t wait() {
    std::unique_lock lock(mutex_);
    const auto is_over = [&] { return taken_ == chunks_ || error_ != nullptr; };
    changed_.wait_for(lock, std::chrono::milliseconds(100), is_over);
    if (error_ != nullptr) std::rethrow_exception(error_);
    return std::min(size_, taken_ * chunk_);
  }

  void work_on() {
    try {
      while (!stop_) {
        const int64_t chunk = next_++;
        if (chunk >= chunks_) return;
        const int64_t begin = chunk * chunk_;
        put(chunk, work_(begin, std::min(size_, begin + chunk_)));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (error_ == nullptr) error_ = std::current_exception();
      stop_ = true;
      changed_.notify_one();
    }
  }

  void put(int64_t chunk, Result result) {
    const std::lock_guard lock(mutex_);
    early_.emplace(chunk, std::move(result));
    while (!early_.empty() && early_.begin()->first == taken_) {
      take_(std::move(early_.begin()->second));
      early_.erase(early_.begin());
      ++taken_;
    }
    if (taken_ == chunks_) changed_.notify_one();
  }

  int64_t size_, chunk_, chunks_;
  Work work_;
  Take take_;
  std::atomic<int64_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t taken_ = 0;                // the first chunks
  std::map<int64_t, Result> early_;  // done before one that precedes them
  std::exception_ptr error_;
};

}  // namespace plimsoll
