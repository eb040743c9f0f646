// BadBatch: where the first number of a batch came from that is not finite, and for which records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/loader/batch_reader.h"
#include "plimsoll/engine/numbers/first_bad.h"
#include "plimsoll/train/steps/batch_step.h"

namespace plimsoll {

class ModelSteps;
struct RecordFields;

struct BadBatch {
  FirstBad first;
  // The records that are not finite by themselves, with this state of the model; of a model that
  // mixes the records of a batch (batch normalisation), those without which it is finite. None: the
  // cause is in the weights, or in the batch as a whole, and not in some of its records.
  std::vector<int64_t> rows = {};          // of the batch
  std::vector<std::string> records = {};   // their names
  int64_t batch_records = 0;               // of all of the batch
  bool is_every_record = false;            // each of them is among the rows, which are not listed
  int64_t part_row = 0, part_records = 0;  // the part in which it began, which the reader holds
};

// The reader is at that batch; `step` has run on it.
std::optional<BadBatch> find_bad_batch(ModelSteps& steps, BatchReader& reader,
                                       const RecordFields& fields, const BatchStep& step);

// Writes the part in which it began, and what its fields are to the model, for a replay.
void save_bad_batch(StateWriter& to, const BatchReader& reader, const RecordFields& fields,
                    const BadBatch& bad);

// "log in layer 'head' made infinite numbers of numbers from 0 to 14, for the record '7.jpg'"
std::string to_string(const BadBatch& bad);

}  // namespace plimsoll
