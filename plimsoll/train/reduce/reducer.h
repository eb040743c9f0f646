// Reducer: the search for the smallest case of a failure. reduce() is how it is used.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/reduce/reduce.h"
#include "plimsoll/train/reduce/trial.h"

namespace plimsoll {

class Reducer {
 public:
  // All that is referred to must outlive it.
  Reducer(const Model& model, const Dataset& data, const ReduceOptions& options);

  ReducedCase run();

 private:
  using Numbers = std::vector<int64_t>;

  // The failure of the training that was given, in reducer_failure.cc: from what its run has left,
  // or by training again.
  void find_failure();
  bool finds_bad_step();
  bool finds_diagnosis_of_run();
  bool finds_bad_record();
  void train_as_given();
  void use_diagnosis();
  // A step that is not finite: it may be so with the weights that the model begins with, at once or
  // after some steps; with those of before the step it is.
  struct BadStep {
    StartStatePtr before;   // the weights
    Numbers blamed, batch;  // records
    int64_t steps = 1;      // up to it, and with it
  };
  void use_bad_step(const BadStep& step);
  bool takes_one_of(const std::vector<Numbers>& lists);
  Numbers batch_of(const Failure& failure) const;

  void reduce_records();
  // Tries lists that are likely to fail, before all are searched.
  void try_guesses();
  void search_records();
  void reduce_layers();
  void reduce_units();
  void reduce_steps();

  bool is_over() const;
  void tell(const std::string& trying);
  int64_t epochs_for(int64_t records) const;
  Candidate candidate_of(const Numbers& numbers) const;
  // True if it fails in the same way; then it is the best one so far.
  bool takes(const Candidate& candidate);
  bool takes_records(const Numbers& numbers);
  bool takes_network(const Json& network);
  CaseSize size_of(const Candidate& candidate) const;
  ReducedCase result() const;

  const Model& model_;
  const Dataset& data_;
  const ReduceOptions& options_;
  const Stopwatch watch_;
  TrialSetting setting_;
  SourcePtr base_;  // all records; of a step that was kept, its batch
  Look look_ = Look::at_steps;
  int64_t steps_ = 1;           // of training that a trial may take
  Failure original_, failure_;  // of the training that was given, and of the best candidate
  Candidate best_;
  Numbers kept_;  // its records, by their numbers in base_
  std::vector<Numbers> guesses_;
  bool begins_before_bad_step_ = false;
  bool is_minimal_ = true;
  int64_t trials_ = 0;
  CaseSize from_;
};

}  // namespace plimsoll
