// Reduces a training that fails, or learns badly, to the smallest one that still does so in the
// same way: the fewest records, then the fewest and smallest layers, then the fewest steps.
//
//   const ReducedCase found = reduce(model, Dataset(x, y), {.fit = {.epochs = 10}});
//   write_case(found, "case");
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/train/model.h"
#include "plimsoll/train/reduce/failure.h"

namespace plimsoll {

// Nothing fails in the training that was given.
class NothingFails : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

struct ReduceProgress {
  std::string trying;  // "the training as it is", "records", "layers", "units", "steps"
  int64_t records = 0, layers = 0;  // of the smallest case so far
  int64_t trials = 0;
  double seconds = 0;
};

struct ReduceOptions {
  // How the model is trained: its epochs, batch size, shuffling, seed, memory and reading count.
  FitOptions fit = {};
  // The folder of the run in which that has happened already: its log and the steps that it kept
  // are used, so that it is not trained again. Empty: there is none.
  std::string run = {};
  double seconds = 120;                   // the search then ends with the smallest case so far
  std::function<bool()> is_stopped = {};  // the same when this says so
  std::function<void(const ReduceProgress&)> on_progress = {};
};

struct CaseSize {
  int64_t records = 0, layers = 0, parameters = 0;
};

struct ReducedCase {
  Failure failure;  // of this case
  Failure original;
  Model model;  // compiled, with the weights that the training begins with
  // The records, one tensor per field, and the names that these have in data.npz.
  std::vector<HostTensor> fields = {};
  std::vector<std::string> field_names = {};
  std::vector<std::string> record_names = {};  // as the data calls them
  int64_t epochs = 1, batch_size = 32, seed = 0;
  bool is_trained = true;  // the failure shows in a training; false: the doctor sees it before
  bool is_shuffled = false;
  bool allows_not_finite = false;       // in the data
  bool begins_before_bad_step = false;  // with the weights of that step, not those of the model
  CaseSize from = {}, size = {};
  int64_t trials = 0;
  double seconds = 0;
  bool is_minimal = true;  // false: the time was over
};

// NothingFails where the training is healthy; InvalidArgument if it cannot begin, or where the
// time was over before it failed; CorruptFile where a record cannot be read at all. The model is
// compiled; it is not changed. The result is the same for the same seed, unless time cuts it short.
ReducedCase reduce(const Model& model, const Dataset& data, const ReduceOptions& options = {});

}  // namespace plimsoll
