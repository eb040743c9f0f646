// What a model asks of data: the sizes of its images, how labels are written, the names of its
// inputs and outputs.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/train/data/open_data.h"

namespace plimsoll {

class ModelFit {
 public:
  // `path`, of the data, begins every error. All must outlive it. InvalidArgument where the model
  // does not say what its inputs are.
  ModelFit(const std::string& path, const Model& model, const DataOptions& options);

  const std::string& path() const { return path_; }
  const DataOptions& options() const { return options_; }
  const Ports& inputs() const { return inputs_; }
  const Ports& outputs() const { return outputs_; }

  // InvalidArgument where the first fields are not of the shapes that the inputs take.
  void check_inputs(const Source& source) const;

  // Of an input that takes images.
  ColorMode color_mode_for(const Port& input) const;
  std::array<int64_t, 2> image_size_for(const Port& input) const;

  // "" where there is none.
  std::string loss_of_only_output() const;
  // The same records with class numbers, field `field`, as the loss of the only output wants them.
  SourcePtr with_labels_for_loss(SourcePtr source, int field) const;

 private:
  const std::string& path_;
  const Model& model_;
  const DataOptions& options_;
  Ports inputs_, outputs_;
};

std::vector<std::string> names_of(const Ports& ports);

}  // namespace plimsoll
