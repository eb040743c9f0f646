// Batches are so large that there are few steps, or so small that steps are mostly noise.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_batch_size(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run == nullptr || !patient.of.data || run->batch_size == 0) return;
  const auto batch = static_cast<double>(run->batch_size);
  const auto records = static_cast<double>(patient.of.data->records);
  Suspicion suspicion{.cause = "batch_size"};
  suspicion.evidence = {{"batch_size", batch},
                        {"records", records},
                        {"steps", static_cast<double>(patient.symptoms.steps)}};
  const bool is_large = batch > records * patient.limits("batch_size.share") && batch > 128;
  const bool normalises =
      std::ranges::any_of(patient.model().layers, &LayerFacts::normalizes_batch);
  if (is_large && patient.symptoms.steps < 400) {
    suspicion.strength = patient.unless_learnt(0.75);
    suspicion.what = fmt::format("a batch has {} of {} records, so the run had {} steps in all",
                                 run->batch_size, patient.of.data->records, patient.symptoms.steps);
  } else if (batch <= patient.limits("batch_size.least") && records > 64) {
    // What BatchNormalization has learnt from such batches is off for other records too, though
    // the run went well.
    suspicion.strength =
        normalises ? patient.unless_learnt(0.85, 0.58) : patient.unless_learnt(0.6);
    suspicion.what =
        fmt::format("a batch has {} record(s){}", run->batch_size,
                    normalises ? ", and BatchNormalization learns from each batch" : "");
  } else {
    return;
  }
  suspicion.remedy = "train with batches of 32";
  suspicion.option = "--batch-size 32";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule batch_size_rule() {
  return {"batch_size",
          "data, run",
          {{"batch_size.share", 0.2, "of all records that a batch may have"},
           {"batch_size.least", 2, "records, or fewer, are too few"}},
          look_for_batch_size};
}

}  // namespace plimsoll
