// The training loop.
#pragma once

#include <memory>

#include "plimsoll/record/step_picture.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

class ModelSteps;

// A run of fit that is planned. Weights, optimizer slots and buffers that were only reserved take
// their memory when it runs.
class PlannedFit {
 public:
  // Throws before anything is taken: InvalidArgument where data, model and options do not go
  // together, DoesNotFit where the run is over its budget.
  PlannedFit(const Model& model, std::shared_ptr<ModelSteps> steps, const Dataset& data,
             const FitOptions& options);
  PlannedFit(PlannedFit&&) noexcept;
  ~PlannedFit();

  const MemoryPlan& plan() const;
  // The training step of the largest batch, or of its largest part. Before run().
  StepPicture picture() const;
  // What replaces NaN and infinity in each input, if the run repairs.
  const ColumnValues& repair_values() const;
  // Once.
  History run();

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace plimsoll
