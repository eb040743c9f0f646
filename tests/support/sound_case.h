// A sound training as the doctor is told of it, which tests of rules spoil.
#pragma once

#include <string>

#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/guards/doctor/diagnosis.h"

namespace plimsoll::testing {

// A sound classifier of three classes, its data and a run that has learnt them.
inline TrainingCase sound_case() {
  TrainingCase it;
  it.model.layers = {{.name = "in", .kind = "InputLayer", .is_linear = true, .feeds = {1}},
                     {.name = "hidden",
                      .kind = "Dense",
                      .activation = "relu",
                      .is_product = true,
                      .units = 32,
                      .parameters = 160,
                      .kernel_spread = 1,
                      .feeds = {2}},
                     {.name = "head",
                      .kind = "Dense",
                      .activation = "softmax",
                      .is_product = true,
                      .units = 3,
                      .parameters = 99,
                      .kernel_spread = 1}};
  it.model.outputs = {{.layer = "head",
                       .product_layer = "head",
                       .activation = "softmax",
                       .units = 3,
                       .loss = "SparseCategoricalCrossentropy"}};
  it.model.optimizer = "Adam";
  it.model.learning_rate = 1e-3;
  it.data = DataFacts{.records = 900, .looked_at = 900};
  it.data->inputs = {{.name = "in",
                      .meets_weights = true,
                      .deviation = 1,
                      .least = -3,
                      .largest = 3,
                      .columns = 4}};
  it.data->targets = {
      {.width = 1, .is_whole = true, .largest = 2, .class_counts = {300, 300, 300}}};
  it.run = RunStory{.status = "done", .batch_size = 32};
  for (const double loss : {0.9, 0.5, 0.3, 0.2, 0.15, 0.12, 0.11, 0.105, 0.1, 0.1})
    it.run->epochs.push_back(
        {.metrics = {{"loss", loss}, {"accuracy", 1 - loss / 2}}, .samples = 900});
  return it;
}

inline void has_learnt_nothing(TrainingCase& it) {
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 1.0986}, {"accuracy", 0.33}};
}

// Empty: every finding is a note.
inline std::string first_cause(const TrainingCase& it) {
  const Diagnosis diagnosis = diagnose(it);
  if (diagnosis.findings.empty()) return "";
  const DiagnosedCause& first = diagnosis.findings.front();
  return first.severity == Finding::Severity::note ? "" : first.cause;
}

// The training has one output of a single unit, for the classes 0 and 1.
inline TrainingCase sound_pair() {
  TrainingCase it = sound_case();
  it.model.layers[2].activation = "sigmoid";
  it.model.layers[2].units = 1;
  it.model.outputs[0] = {.layer = "head",
                         .product_layer = "head",
                         .activation = "sigmoid",
                         .units = 1,
                         .width = 1,
                         .loss = "BinaryCrossentropy"};
  it.data->targets = {{.width = 1,
                       .is_whole = true,
                       .mean = 0.5,
                       .deviation = 0.5,
                       .largest = 1,
                       .column_variance = 0.25,
                       .column_entropy = 0.693,
                       .class_counts = {450, 450}}};
  return it;
}

inline double confidence_of(const TrainingCase& of, const std::string& cause) {
  for (const DiagnosedCause& it : diagnose(of).findings)
    if (it.cause == cause) return it.confidence;
  return 0;
}

}  // namespace plimsoll::testing
