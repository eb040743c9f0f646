// ReadAhead: threads that read windows of records, in the order in which they are asked for.
#pragma once

#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "plimsoll/data/loader/load_window.h"

namespace plimsoll {

class ReadAhead {
 public:
  // At most `workers` threads of a lower priority; only as many work as are needed so that wait()
  // does not have to wait. With 0, the thread that waits reads. `source` must outlive it.
  ReadAhead(const Source& source, int workers);
  ~ReadAhead();

  // A window that is planned; it must stay until it was waited for or dropped.
  void add(LoadWindow& window);
  // Returns when the window is read.
  void wait(LoadWindow& window);
  // Forgets all windows that were not waited for, and returns when no thread writes into them.
  void drop_all();

  double waited_seconds() const { return waited_seconds_; }
  int workers_at_work() const;

 private:
  struct Job {
    LoadWindow* window = nullptr;
    int64_t chunk = 1;             // rows that a thread takes at a time
    int64_t begun = 0, ended = 0;  // rows
    bool has_work() const { return begun < window->rows(); }
    bool is_done() const { return ended == window->rows(); }
  };

  void work(int worker);
  Job* next_job(int worker);
  void do_chunk(Job& job, std::unique_lock<std::mutex>& lock);
  void tune(bool was_late);

  const Source& source_;
  const int most_workers_;
  mutable std::mutex mutex_;  // of all below but the seconds
  std::condition_variable work_, done_;
  std::list<Job> jobs_, done_jobs_;  // nodes of the second are used again
  bool is_ending_ = false;
  int at_work_ = 1;                    // workers that take jobs
  int calm_ = 0;                       // waits in a row that took no time
  std::vector<std::jthread> workers_;  // made when there is something to do
  double waited_seconds_ = 0;
};

}  // namespace plimsoll
