#include "plimsoll/train/data/model_fit.h"

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/one_hot_labels.h"

namespace plimsoll {
namespace {

// Does a model that expects the one take the other? A last axis of one element may be there or not,
// as in Keras.
bool is_taken(Shape record, const Shape& expected) {
  if (record.rank() == expected.rank() + 1 && record.back() == 1)
    record = record.without(record.rank() - 1);
  if (record.rank() + 1 == expected.rank() && expected.back() == 1) record.push_back(1);
  if (record.rank() != expected.rank()) return false;
  for (int i = 0; i < record.rank(); ++i)
    if (expected[i] != kUnknown && expected[i] != record[i]) return false;
  return true;
}

}  // namespace

std::vector<std::string> names_of(const Ports& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.name);
  return names;
}

ModelFit::ModelFit(const std::string& path, const Model& model, const DataOptions& options)
    : path_(path),
      model_(model),
      options_(options),
      inputs_(model.network().inputs()),
      outputs_(model.network().outputs()) {
  if (inputs_.empty())
    throw InvalidArgument(model.name() +
                          ": does not say what its inputs are; give its first "
                          "layer an Input and save it again");
}

void ModelFit::check_inputs(const Source& source) const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Shape& found = source.fields()[i].shape;
    const Shape expected = inputs_[i].spec.shape.without(0);
    if (!is_taken(found, expected))
      throw InvalidArgument(path_ + ": a record has the shape " + found.to_string() +
                            ", the model's input '" + inputs_[i].name + "' takes " +
                            display(expected));
  }
}

ColorMode ModelFit::color_mode_for(const Port& input) const {
  const int64_t channels = input.spec.shape.back();
  if (channels == kUnknown || channels == 3) return ColorMode::rgb;
  if (channels == 1) return ColorMode::grayscale;
  if (channels == 4) return ColorMode::rgba;
  throw InvalidArgument(path_ + ": images have 1, 3 or 4 channels, the model's input '" +
                        input.name + "' takes " + std::to_string(channels));
}

std::array<int64_t, 2> ModelFit::image_size_for(const Port& input) const {
  const Shape& shape = input.spec.shape;
  if (shape.rank() != 4)
    throw InvalidArgument(path_ + ": images need an input of shape (height, width, channels); '" +
                          input.name + "' has " + display(shape));
  const std::array<int64_t, 2> own = {shape[1], shape[2]};
  const bool is_open = own[0] == kUnknown || own[1] == kUnknown;
  if (!is_open && options_.image_size.value_or(own) == own) return own;
  if (!is_open)
    throw InvalidArgument(path_ + ": the model's input '" + input.name + "' takes images of " +
                          std::to_string(own[0]) + "x" + std::to_string(own[1]) +
                          ", and they are resized to that; leave --image-size out");
  if (!options_.image_size)
    throw InvalidArgument(path_ + ": the model takes images of any size " + display(shape) +
                          "; choose one with --image-size, 224x224 say");
  return *options_.image_size;
}

std::string ModelFit::loss_of_only_output() const {
  if (!model_.compiled() || outputs_.size() != 1) return "";
  const auto& losses = model_.compile_options().loss.values;
  return losses.empty() || !losses[0].defined() ? "" : losses[0].name();
}

SourcePtr ModelFit::with_labels_for_loss(SourcePtr source, int field) const {
  const Spec& labels = source->fields()[static_cast<size_t>(field)];
  const bool are_numbers = is_integer(labels.dtype) && labels.shape.rank() == 0;
  const int64_t classes = outputs_[0].spec.shape.back();
  if (!are_numbers || classes == kUnknown || loss_of_only_output() != "categorical_crossentropy")
    return source;
  return one_hot_labels(std::move(source), field, classes);
}

}  // namespace plimsoll
