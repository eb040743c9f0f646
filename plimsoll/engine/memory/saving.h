// How steps save memory, and in which ways they may.
#pragma once

#include <cstdint>
#include <optional>

namespace plimsoll {

struct Saving {
  std::optional<int64_t> arena_budget = {};  // which is kept to, where it can be,
  bool smallest = false;       // or the arena is made as small as can be found quickly,
  bool quick = false;          // by the first way that is found, not the fastest,
  bool early_updates = false;  // by updating weights before all gradients are there,
  bool recompute = true;       // by computing values again,
  bool spill = false;          // or by a file
  int sequence_parts = 1;      // of recurrent layers in training: see SequenceCut
  int64_t part_size = 0;       // samples of a batch that run at once; 0: all

  bool operator==(const Saving&) const = default;
};

// Which of them may be used.
struct SavingWays {
  bool recompute = true;
  bool spill = true;
  bool early_updates = false;
  bool sequence_parts = false;
  int64_t batch_size = 1;      // samples
  int64_t part_size = 0;       // of parts that it runs in anyway; 0: it is whole
  bool smaller_parts = false;  // parts may be made smaller, where Candidates::may_part()
};

}  // namespace plimsoll
