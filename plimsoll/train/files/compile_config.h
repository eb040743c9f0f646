// CompileOptions <-> Keras's JSON of them: the compile_config of a .keras file, and the
// training_config of an .h5 file, of Keras 3 or 2.
#pragma once

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/train/compile_options.h"

namespace plimsoll {

// InvalidArgument where a loss or metric is a function of the program, which no file can hold, and
// options.own_objective does not name it.
Json compile_config(const CompileOptions& options);
// The same for .h5 files.
Json training_config(const CompileOptions& options);

// Read both. InvalidArgument names what is not understood.
CompileOptions read_compile_config(const Json& json);
Optimizer read_optimizer(const Json& json);

}  // namespace plimsoll
