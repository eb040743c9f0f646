// PartSums: what the parts of a batch add up to, kept between their steps.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/graph/variable.h"

namespace plimsoll {

// One value of a batch, summed over its parts.
class PartSum {
 public:
  // Records the addition of a part's share; the first part of a batch begins anew.
  void add(const Tensor& share, const Tensor& is_first, const std::string& name);
  // Of the whole batch; undefined if no part had a share.
  Tensor value() const { return sum_.defined() ? sum_.value() : Tensor(); }
  const Variable& variable() const { return sum_; }

 private:
  Variable sum_;
};

struct PartSums {
  std::vector<PartSum> divisors, losses;  // one per output
  PartSum activity;                       // penalties of activities
  std::vector<PartSum> gradients;         // one per trained weight

  // Adds shares[i], where it is defined, to sums[i].
  static void add(std::vector<PartSum>& sums, const Tensors& shares, const Tensor& is_first,
                  const char* name);
  static Tensors values(const std::vector<PartSum>& sums);
  // Those that were made.
  Variables variables() const;
};

}  // namespace plimsoll
