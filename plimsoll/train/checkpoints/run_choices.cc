#include "plimsoll/train/checkpoints/run_choices.h"

#include <fmt/format.h>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/vector_target.h"
#include "plimsoll/nn/clock.h"

namespace plimsoll {
namespace {

void report_difference(const StateReader& checkpoint, const std::string& what,
                       const std::string& remedy) {
  report({.severity = Finding::Severity::warning,
          .where = checkpoint.path(),
          .what = what + ", so the last bits of the result may differ",
          .remedy = remedy});
}

// Random numbers of a layer depend on its name.
std::vector<std::string> names_of_layers(const Model& model) {
  std::vector<std::string> names;
  for (const Layer& layer : model.layers()) names.push_back(layer->name());
  return names;
}

}  // namespace

void save_choices(StateWriter& to, const Model& model, const Saving& saving) {
  to.texts("layers", names_of_layers(model));
  to.number("seed", random_seed());
  to.number("threads", thread_count());
  to.text("vector_target", kernels::vector_target());
  to.number("part_size", saving.part_size);
  to.number("sequence_parts", saving.sequence_parts);
  to.number("early_updates", saving.early_updates);
}

void use_choices(const StateReader& checkpoint, SavingOptions& saving) {
  const StateReader from = checkpoint.within("choices");
  const int64_t part_size = from.number("part_size");
  saving.micro_batches = part_size > 0;
  if (part_size > 0) saving.micro_batch = part_size;
  saving.sequence_parts = saving.sequence_parts && from.number("sequence_parts") > 1;
  saving.early_updates = saving.early_updates && from.number("early_updates") != 0;
}

void compare_choices(const StateReader& checkpoint, const Model& model, const Saving& saving) {
  const StateReader from = checkpoint.within("choices");
  if (from.texts("layers") != names_of_layers(model))
    report_difference(checkpoint,
                      "the layers have other names than before, and random numbers depend on them",
                      "name the layers, or make the model in a new process");
  const int64_t threads = from.number("threads");
  if (threads != thread_count())
    report_difference(
        checkpoint,
        fmt::format("the run began with {} threads and goes on with {}", threads, thread_count()),
        fmt::format("pass --threads {}", threads));
  if (const std::string target = from.text("vector_target"); target != kernels::vector_target())
    report_difference(checkpoint,
                      fmt::format("the run began with the instruction set {} and goes on with {}",
                                  target, kernels::vector_target()),
                      "");
  if (from.number("part_size") != saving.part_size ||
      from.number("sequence_parts") != saving.sequence_parts ||
      (from.number("early_updates") != 0) != saving.early_updates)
    report_difference(checkpoint, "a step saves memory in another way than before",
                      "give it the memory that it had");
}

}  // namespace plimsoll
