// A shuffle without a list: a keyed permutation of [0, size) computed index by index, so that any
// number of records is shuffled fully in no memory, and an order is a pure function of its key.
#pragma once

#include <cstdint>

namespace plimsoll {

class Permutation {
 public:
  Permutation(int64_t size, uint64_t key);

  // Where index i goes; a bijection on [0, size).
  int64_t operator()(int64_t i) const;
  int64_t size() const { return size_; }

 private:
  uint64_t encrypt(uint64_t x) const;

  int64_t size_;
  uint64_t key_;
  int half_bits_;  // the cipher works on 2 * half_bits_ bits: the fewest that hold size - 1
};

// The key of an epoch's order.
uint64_t shuffle_key(int64_t seed, int64_t epoch);

}  // namespace plimsoll
