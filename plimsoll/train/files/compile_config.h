// CompileOptions <-> Keras's JSON of them: the compile_config of a .keras file, and the
// training_config of an .h5 file, of Keras 3 or 2.
#pragma once

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/train/compile_options.h"

namespace plimsoll {

// InvalidArgument where a loss or metric is a function of the program, which no file can hold.
Json compile_config(const CompileOptions& options);
// InvalidArgument names what is not understood.
CompileOptions read_compile_config(const Json& json);

// The same for .h5 files.
Json training_config(const CompileOptions& options);
CompileOptions read_training_config(const Json& json);

}  // namespace plimsoll
