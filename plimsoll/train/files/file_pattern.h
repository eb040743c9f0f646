// File names with placeholders, as ModelCheckpoint takes them: "{epoch:02d}-{val_loss:.2f}.keras".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plimsoll/train/callbacks/training_state.h"

namespace plimsoll {

// A placeholder is {name} or {name:format} in Python's notation, with d, f, F, e, E, g, G or %
// after width and precision; the names are epoch and batch, which count from 1, and those of the
// logs. Doubled braces become one. InvalidArgument where a name or a format is not known.
std::string fill_file_pattern(const std::string& pattern, int64_t epoch,
                              std::optional<int64_t> batch, const Logs& logs);

}  // namespace plimsoll
