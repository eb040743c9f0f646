// What the doctor can look at of a run by its folder alone: the log and the saved model. The data
// and a model that no file holds are the program's.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

struct ExaminedFolder {
  TrainingCase found = {};
  std::string how = {};  // "its log and its model are looked at, and not its data"
};

// `model` is that of the run; without, it is the one in the folder. `data` is what it was trained
// on, where that is known. InvalidArgument where the folder is not that of a run, CorruptFile where
// its log is damaged; a model that cannot be looked at is left out.
ExaminedFolder examine_folder(const std::string& run, const Dataset& data = {},
                              const std::optional<Model>& model = {});

}  // namespace plimsoll
