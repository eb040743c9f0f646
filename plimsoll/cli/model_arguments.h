// The model that a command is given, and the options that change how it is compiled.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/nn/optimizers/changed_optimizer.h"
#include "plimsoll/train/files/weight_load.h"
#include "plimsoll/train/model.h"

namespace plimsoll::cli {

struct ModelArguments {
  std::string path;
  std::string optimizer, loss, metrics;  // names, or lists with commas; empty: the file's
  std::optional<double> learning_rate, label_smoothing;
  std::optional<bool> from_logits;  // of the loss; none: as it is
  OptimizerChanges changes;         // all but the learning rate
  std::vector<std::string> frozen;  // patterns of layers
};

// MODEL.
void add_model(CLI::App& app, ModelArguments& arguments);
// --loss and --metrics.
void add_objective(CLI::App& app, ModelArguments& arguments);
// --optimizer and its settings, --label-smoothing and --freeze.
void add_training(CLI::App& app, ModelArguments& arguments);

// WrongUsage if DATA is a model and MODEL is not.
void refuse_swapped(const std::string& model, const std::string& data);

// What becomes of a model's weights.
enum class Weights {
  required,  // read; InvalidArgument where the file (.json) has none
  read,      // read; new ones, with a warning, where the file has none
  replaced,  // as read, without the warning: they are read from elsewhere, or not written
  reserved,  // not read
};

// Reads the file; what it does not take as it is written becomes findings.
Model load(const ModelArguments& arguments, Weights weights, Findings& findings);
// The same, but the values are read only when `values.run()` is called. With Weights::required the
// model is not to be trained: its optimizer begins anew. With Weights::replaced no new ones are
// drawn.
Model load(const ModelArguments& arguments, Weights weights, WeightLoad& values,
           Findings& findings);
// Compiles by the options over the file's settings and freezes layers. WrongUsage where a name is
// not known, or where neither the file nor the options name a loss.
void compile(Model& model, const ModelArguments& arguments);

}  // namespace plimsoll::cli
