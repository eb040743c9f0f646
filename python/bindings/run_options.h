// The options of fit, evaluate and predict, from a dict.
#pragma once

#include "plimsoll/train/fit_options.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

FitOptions fit_options(const nb::dict& options);
EvaluateOptions evaluate_options(const nb::dict& options);
PredictOptions predict_options(const nb::dict& options);

}  // namespace plimsoll::python
