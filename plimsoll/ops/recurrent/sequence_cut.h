// SequenceCut: while one is open on this thread, recurrent layers are recorded in parts, one after
// another in time. A part can be computed again on its own, so a plan need not keep what the whole
// sequence saves for its gradient. Sums over time are then taken in another order.
#pragma once

namespace plimsoll {

class SequenceCut {
 public:
  explicit SequenceCut(int parts);
  ~SequenceCut();
  SequenceCut(const SequenceCut&) = delete;
  SequenceCut& operator=(const SequenceCut&) = delete;

  // True if there was a sequence to cut.
  bool was_used() const { return was_used_; }

  // How many parts a sequence of `steps` steps is recorded in: 1 if no SequenceCut is open.
  static int parts_of(long steps);

 private:
  int parts_;
  bool was_used_ = false;
  SequenceCut* outer_;
};

}  // namespace plimsoll
