#include "plimsoll/base/short_waits.h"

#include <omp.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "plimsoll/base/threads.h"

namespace plimsoll {

// OpenMP keeps a team per thread that has run a parallel loop, and frees it when that thread ends.
class ShortWaits::IdleTeam {
 public:
  IdleTeam() {
    // Not joined: in a child that was forked the thread does not exist, and a join would not end.
    std::thread([owner = owner_, threads = idle_threads()] { owner->run(threads); }).detach();
    std::unique_lock lock(owner_->mutex);
    owner_->changed.wait(lock, [&] { return owner_->is_made; });
  }
  ~IdleTeam() {
    const std::lock_guard lock(owner_->mutex);
    owner_->is_over = true;
    owner_->changed.notify_all();
  }
  IdleTeam(const IdleTeam&) = delete;
  IdleTeam& operator=(const IdleTeam&) = delete;

  static std::shared_ptr<IdleTeam> shared() {
    static std::mutex mutex;
    static std::weak_ptr<IdleTeam> kept;
    const std::lock_guard lock(mutex);
    std::shared_ptr<IdleTeam> team = kept.lock();
    if (team == nullptr) kept = team = std::make_shared<IdleTeam>();
    return team;
  }

 private:
  struct Owner {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_made = false, is_over = false;

    void run(int threads) {
      int ran = 0;
#pragma omp parallel num_threads(threads) reduction(+ : ran)
      ++ran;
      std::unique_lock lock(mutex);
      is_made = ran > 0;
      changed.notify_all();
      changed.wait(lock, [&] { return is_over; });
    }
  };

  // With the threads that compute they are more than there are cores. OpenMP does not count the
  // owner.
  static int idle_threads() {
    return std::max(omp_get_num_procs() - thread_count(), 0) + 2;
  }

  std::shared_ptr<Owner> owner_ = std::make_shared<Owner>();
};

ShortWaits::ShortWaits() : team_(IdleTeam::shared()) {}
ShortWaits::~ShortWaits() = default;

}  // namespace plimsoll
