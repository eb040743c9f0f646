// Records about which something was noticed: how many, and which were the first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace plimsoll {

class NotedRecords {
 public:
  static constexpr size_t kKept = 100;

  // In the order of their numbers.
  void add(int64_t record) {
    if (first_.size() < kKept) first_.push_back(record);
    ++count_;
  }
  // Adds the records of `later` after these.
  void merge(const NotedRecords& later) {
    const size_t more = std::min(kKept - first_.size(), later.first_.size());
    first_.insert(first_.end(), later.first_.begin(),
                  later.first_.begin() + static_cast<int64_t>(more));
    count_ += later.count_;
  }

  int64_t count() const { return count_; }
  const std::vector<int64_t>& first() const { return first_; }
  std::vector<std::string> names(const std::function<std::string(int64_t)>& name) const {
    std::vector<std::string> names;
    for (const int64_t record : first_) names.push_back(name(record));
    return names;
  }

 private:
  int64_t count_ = 0;
  std::vector<int64_t> first_;
};

// What a record is called.
using RecordName = std::function<std::string(int64_t)>;

}  // namespace plimsoll
