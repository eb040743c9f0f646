// RecordSet: for each of very many records whether it is in a set, and the n-th that is or is not.
// It takes one and an eighth bits per record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll {

class RecordSet {
 public:
  void reserve(int64_t records);
  void push_back(bool is_member);

  int64_t size() const { return size_; }
  // How many records are in the set, or are not.
  int64_t count(bool members) const { return members ? members_ : size_ - members_; }
  // The record that is the n-th member, or the n-th that is not a member; n is below
  // count(members).
  int64_t find(int64_t n, bool members) const;

 private:
  int64_t before(size_t block, bool members) const;

  std::vector<uint64_t> bits_;
  std::vector<int64_t> members_before_;  // each block of kBlockWords words
  int64_t size_ = 0, members_ = 0;
};

}  // namespace plimsoll
