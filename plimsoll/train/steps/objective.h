// Objective: what a model is trained for and watched by: the loss of each output and its weight,
// the metrics of each output, and the names under which Keras reports them.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/nn/metrics/mean_metric.h"
#include "plimsoll/train/compile_options.h"

namespace plimsoll {

class Objective {
 public:
  // InvalidArgument, beginning with `owner`, where the options do not fit the outputs.
  Objective(std::string owner, std::vector<std::string> outputs, const CompileOptions& options);

  // One per output; targets and weights may be undefined, as may be losses.
  struct Batch {
    Tensors targets, predictions, weights;
    Tensors penalties;  // of regularizers, added once
    int64_t size = 0;   // samples
  };
  // Records the total loss and the update of everything that is reported.
  Tensor record(const Batch& batch) const;

  // A batch in parts. First, if a loss is divided by a number that depends on the data (values that
  // a mask leaves, a sum of weights): the parts' shares of the divisors, one per output, undefined
  // where the number of samples is enough.
  Tensors divisors(const Batch& part) const;
  // Then the parts' shares of each output's loss, undefined if it has none, and the metrics.
  // `divisors` are those of the whole batch, which has `samples`.
  Tensors record_part(const Batch& part, const Tensors& divisors, int64_t samples) const;
  // By the weights of the outputs; undefined if there is no loss.
  Tensor weighted(const Tensors& losses) const;
  // Last, the total loss of the whole batch, of which `losses` are the sums over its parts.
  Tensor record_total(const Tensors& losses, const Tensors& penalties, int64_t samples) const;

  const std::vector<std::string>& outputs() const { return outputs_; }
  // One per output; undefined if it is not trained.
  const std::vector<Loss>& losses() const { return losses_; }
  // One per output: true if it has a loss.
  std::vector<bool> needs_target() const;

  // Keras's names: the loss, the metrics, and where there are several losses each of them.
  const std::vector<std::string>& names() const { return names_; }
  // What it has counted since the last reset.
  Variables variables() const;
  void reset() const;
  // What names()[i] is now.
  double value(size_t i) const { return reported_[i].result(); }

 private:
  // A metric of one output.
  struct Watched {
    size_t output;
    Metric metric;
    bool is_weighted;
  };

  std::vector<OutputMetrics> spread(const Metrics& metrics, const char* what) const;
  // Losses by name must name every output, as in Keras.
  void require_every_output(const PerOutput<Loss>& loss) const;
  void add_metrics(const CompileOptions& options);
  std::string name_of(const Watched& watched) const;
  void name_metrics();
  void update_metrics(const Batch& batch) const;

  std::string owner_;
  std::vector<std::string> outputs_;
  std::vector<Loss> losses_;
  std::vector<double> loss_weights_;
  Mean total_;
  std::vector<Mean> each_;  // one per output; empty if there are fewer than two losses
  std::vector<Watched> metrics_;
  std::vector<std::string> names_;
  std::vector<Metric> reported_;  // in the order of names_
};

}  // namespace plimsoll
