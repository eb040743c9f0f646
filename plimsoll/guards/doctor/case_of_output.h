// One output of a model that has several, as a case of its own.
#pragma once

#include <cstddef>

#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/guards/doctor/symptoms.h"

namespace plimsoll {

// The output with its targets, and its own losses and metrics, which Keras names after it
// ("kind_loss"). Statistics of steps are left out.
TrainingCase case_of_output(const TrainingCase& of, size_t output);

// What the run shows of it; those of the whole where the run does not report its loss.
Symptoms symptoms_of_output(const TrainingCase& one, const Symptoms& whole);

}  // namespace plimsoll
