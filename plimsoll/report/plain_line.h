// The line of a finished epoch, evaluation or conversion, as files and pipes get it.
#pragma once

#include <cstddef>
#include <string_view>

#include "plimsoll/record/run_observer.h"

namespace plimsoll {

// "epoch 2/5  938/938  loss 0.4312  accuracy 0.8467  5,120 samples/s  time 0:03  memory 57.3 MiB".
// Fits `into` of `size` bytes. Two spaces are between the fields.
std::string_view plain_line(const Progress& progress, char* into, size_t size);

}  // namespace plimsoll
