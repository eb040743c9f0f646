// WeightSnapshot: the values of a model at one moment, with the state of its optimizer, on the disk
// and not in memory. The file has no name: nothing is left of it whatever happens.
#pragma once

#include <string>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

class WeightSnapshot {
 public:
  // On the disk of `folder`. IoError if that cannot be written.
  explicit WeightSnapshot(const std::string& folder);

  // Replaces what was taken before. IoError where the disk is full.
  void take(const Model& model);
  // Into the same model.
  void put_back(const Model& model) const;

  // Its values as those of a checkpoint.
  void save_state(StateWriter& to, const Model& model) const;
  // Takes them over. They pass through the model, whose values are then these.
  void load_state(const StateReader& from, const Model& model);

  // How large the file is.
  static int64_t bytes_of(const Model& model);

 private:
  FileDescriptor file_;
};

}  // namespace plimsoll
