#include "plimsoll/train/steps/part_sums.h"

#include "plimsoll/graph/initial_values.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {

void PartSum::add(const Tensor& share, const Tensor& is_first, const std::string& name) {
  if (!sum_.defined()) {
    const WithoutInitialValues reserved;  // the first part writes it
    sum_ = Variable(name, share.spec(), false);
    sum_.state()->is_scratch = true;
  }
  sum_.assign(select(is_first, share, sum_.value() + share));
}

void PartSums::add(std::vector<PartSum>& sums, const Tensors& shares, const Tensor& is_first,
                   const char* name) {
  sums.resize(shares.size());
  for (size_t i = 0; i < shares.size(); ++i)
    if (shares[i].defined()) sums[i].add(shares[i], is_first, name);
}

Tensors PartSums::values(const std::vector<PartSum>& sums) {
  Tensors values;
  for (const PartSum& sum : sums) values.push_back(sum.value());
  return values;
}

Variables PartSums::variables() const {
  Variables all;
  const auto take = [&](const PartSum& sum) {
    if (sum.variable().defined()) all.push_back(sum.variable());
  };
  for (const auto* sums : {&divisors, &losses, &gradients})
    for (const PartSum& sum : *sums) take(sum);
  take(activity);
  return all;
}

}  // namespace plimsoll
