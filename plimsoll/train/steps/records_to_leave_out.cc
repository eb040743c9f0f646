#include "plimsoll/train/steps/records_to_leave_out.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

using Rows = std::vector<int64_t>;

class LeaveOutSearch {
 public:
  LeaveOutSearch(int64_t count, const IsFinite& is_finite, int64_t most_tests)
      : count_(count), is_finite_(is_finite), tests_left_(most_tests), open_(count) {
    std::iota(open_.begin(), open_.end(), 0);
  }

  Rows run() {
    while (!is_finite(open_.size(), 0)) {
      if (2 * std::ssize(found_) >= count_ || tests_left_ < 0) return {};
      leave_out_one();
    }
    drop_needless();
    if (tests_left_ < 0 || 2 * std::ssize(found_) > count_) return {};
    std::ranges::sort(found_);
    return found_;
  }

 private:
  // Of what is kept and the open records from `begin` to `end`.
  bool is_finite(size_t end, size_t begin) {
    Rows rows = kept_;
    rows.insert(rows.end(), open_.begin() + static_cast<int64_t>(begin),
                open_.begin() + static_cast<int64_t>(end));
    return test(rows);
  }

  bool test(Rows rows) {
    if (rows.empty()) return true;
    --tests_left_;
    std::ranges::sort(rows);
    return is_finite_(rows);
  }

  // The least p so that the open records from p on are finite beside those that are kept.
  void leave_out_one() {
    size_t bad = 0, good = open_.size();
    while (good - bad > 1 && tests_left_ >= 0) {
      const size_t middle = bad + (good - bad) / 2;
      (is_finite(open_.size(), middle) ? good : bad) = middle;
    }
    found_.push_back(open_[good - 1]);
    kept_.insert(kept_.end(), open_.begin() + static_cast<int64_t>(good), open_.end());
    open_.resize(good - 1);
  }

  // A batch of one record may be bad for another reason, so that too many were left out.
  void drop_needless() {
    for (size_t i = 0; i < found_.size() && found_.size() > 1 && tests_left_ >= 0;) {
      Rows others = found_;
      others.erase(others.begin() + static_cast<int64_t>(i));
      if (test(all_but(others)))
        found_ = others;
      else
        ++i;
    }
  }

  Rows all_but(const Rows& some) const {
    Rows rows;
    for (int64_t row = 0; row < count_; ++row)
      if (std::ranges::find(some, row) == some.end()) rows.push_back(row);
    return rows;
  }

  int64_t count_;
  const IsFinite& is_finite_;
  int64_t tests_left_;
  Rows open_, kept_, found_;  // not decided yet; finite together; must go
};

}  // namespace

std::vector<int64_t> records_to_leave_out(int64_t count, const IsFinite& is_finite,
                                          int64_t most_tests) {
  return LeaveOutSearch(count, is_finite, most_tests).run();
}

}  // namespace plimsoll
