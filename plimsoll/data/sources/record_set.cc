#include "plimsoll/data/sources/record_set.h"

#include <bit>

namespace plimsoll {
namespace {

constexpr size_t kBlockWords = 8;
constexpr int64_t kBlockRecords = kBlockWords * 64;

}  // namespace

void RecordSet::reserve(int64_t records) {
  const auto blocks = static_cast<size_t>((records + kBlockRecords - 1) / kBlockRecords);
  bits_.reserve(blocks * kBlockWords);
  members_before_.reserve(blocks);
}

void RecordSet::push_back(bool is_member) {
  if (size_ % kBlockRecords == 0) {
    bits_.resize(bits_.size() + kBlockWords);
    members_before_.push_back(members_);
  }
  if (is_member) bits_[static_cast<size_t>(size_ / 64)] |= uint64_t{1} << size_ % 64;
  members_ += is_member;
  ++size_;
}

int64_t RecordSet::before(size_t block, bool members) const {
  const int64_t in_set = members_before_[block];
  return members ? in_set : static_cast<int64_t>(block) * kBlockRecords - in_set;
}

int64_t RecordSet::find(int64_t n, bool members) const {
  size_t low = 0, high = members_before_.size();  // the block is in [low, high)
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    (before(middle, members) <= n ? low : high) = middle;
  }
  int64_t left = n - before(low, members);
  for (size_t word = low * kBlockWords;; ++word) {
    uint64_t bits = members ? bits_[word] : ~bits_[word];
    const int64_t here = std::popcount(bits);
    if (left >= here) {
      left -= here;
      continue;
    }
    while (left-- > 0) bits &= bits - 1;
    return static_cast<int64_t>(word) * 64 + std::countr_zero(bits);
  }
}

}  // namespace plimsoll
