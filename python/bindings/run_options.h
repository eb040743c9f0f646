// The options of fit, evaluate and predict, from a dict.
#pragma once

#include "plimsoll/train/fit_options.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {

// class_weight="balanced" needs the data: balanced_weights().
FitOptions fit_options(const nb::dict& options);
bool asks_for_balance(const nb::dict& options);
// balanced_class_weight() of what is trained on. InvalidArgument if that is a stream.
ClassWeight balanced_weights(const Dataset& data, double validation_split);

EvaluateOptions evaluate_options(const nb::dict& options);
PredictOptions predict_options(const nb::dict& options);

}  // namespace plimsoll::python
