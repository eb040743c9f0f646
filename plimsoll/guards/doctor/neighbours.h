// Neighbours: how well the targets of records can be predicted by those of the records that are
// most like them. It is a learner without settings: what it reaches, a model can reach too; and
// where it reaches nothing, the labels may have nothing to do with the inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace plimsoll {

class Neighbours {
 public:
  // The numbers of each record; those that take more than some million are not kept.
  Neighbours(int64_t columns, int64_t targets);

  // How many records are worth adding; 0: records are too large.
  int64_t most_records() const { return most_; }
  void add(std::span<const double> inputs, std::span<const double> targets);

  // From 0 (no better than a constant answer) to 1, each record answered by its nearest others;
  // below 0 where that is worse. None: there are too few records.
  std::optional<double> skill(bool are_classes) const;

 private:
  std::vector<float> scaled() const;

  int64_t columns_, targets_, most_ = 0;
  std::vector<float> inputs_, answers_;  // record by record
};

}  // namespace plimsoll
