#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/feature_file.h"
#include "plimsoll/train/data/open_shards.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {
namespace {

using Features = std::vector<NamedFeature>;

std::vector<std::string> names_of(const Features& features) {
  std::vector<std::string> names;
  for (const NamedFeature& feature : features) names.push_back(feature.name);
  return names;
}

class TfRecordOpener {
 public:
  explicit TfRecordOpener(const ModelFit& fit) : fit_(fit) {
    if (fit.options().features.empty())
      throw InvalidArgument(fit.path() +
                            ": TFRecord files do not say what is in them; name a file that does "
                            "with --features");
    features_ = read_feature_file(fit.options().features);
  }

  Dataset open(const std::vector<std::string>& paths) {
    const auto weight = take("sample_weight");
    for (const Port& port : fit_.inputs()) add_input(port, "x");
    if (!fit_.options().targets) return Dataset(tfrecord_source(paths, spec_));
    for (const Port& port : fit_.outputs()) add_target(port, "y");
    if (weight) spec_.push_back(weight->field);
    SourcePtr records = tfrecord_source(paths, spec_);
    if (fit_.outputs().size() == 1)
      records = fit_.with_labels_for_loss(records, static_cast<int>(fit_.inputs().size()));
    Dataset data(records);
    data.targets = static_cast<int>(fit_.outputs().size());
    data.sample_weights = weight ? 1 : 0;
    return data;
  }

 private:
  std::optional<NamedFeature> take(const std::string& name) {
    const auto found = std::ranges::find(features_, name, &NamedFeature::name);
    if (found == features_.end()) return std::nullopt;
    NamedFeature feature = *found;
    features_.erase(found);
    return feature;
  }

  // By the port's name, or `only` where there is one port; or else the next in the file's order.
  NamedFeature take_for(const Port& port, const Ports& ports, const std::string& only,
                        const char* what) {
    if (auto feature = take(port.name)) return *feature;
    if (ports.size() == 1)
      if (auto feature = take(only)) return *feature;
    const auto free = std::ranges::find_if(
        features_, [&](const NamedFeature& feature) { return !is_named_for_a_port(feature.name); });
    if (free == features_.end())
      throw InvalidArgument(fit_.options().features + ": expected a feature for the " + what +
                            " '" + port.name + "' of the model, found " +
                            (features_.empty() ? "no other" : listed(names_of(features_))));
    return *take(std::string(free->name));
  }

  bool is_named_for_a_port(const std::string& name) const {
    const auto has = [&](const Ports& ports) {
      return std::ranges::find(ports, name, &Port::name) != ports.end();
    };
    return name == "x" || name == "y" || has(fit_.inputs()) || has(fit_.outputs());
  }

  void add_input(const Port& port, const std::string& only) {
    NamedFeature feature = take_for(port, fit_.inputs(), only, "input");
    FeatureField& field = feature.field;
    if (field.image) {
      if (!feature.has_color_mode) field.image->color_mode = fit_.color_mode_for(port);
      if (!feature.has_image_size) field.image->image_size = fit_.image_size_for(port);
    } else {
      if (!feature.has_dtype) field.dtype = port.spec.dtype;
      if (!feature.has_shape) field.shape = known_shape(port);
    }
    spec_.push_back(field);
  }

  Shape known_shape(const Port& port) const {
    Shape shape = port.spec.shape.without(0);
    if (std::ranges::find(shape, kUnknown) != shape.end())
      throw InvalidArgument(fit_.options().features + ": the model's input '" + port.name +
                            "' takes " + display(shape) + "; give its feature a shape");
    return shape;
  }

  // A number, unless the file says more: of a class where the loss takes classes.
  void add_target(const Port& port, const std::string& only) {
    NamedFeature feature = take_for(port, fit_.outputs(), only, "output");
    const std::string loss = fit_.loss_of_only_output();
    const bool is_class = loss.starts_with("sparse_") || loss == "categorical_crossentropy";
    if (!feature.has_dtype && is_class && feature.field.shape.rank() == 0)
      feature.field.dtype = DType::int32;
    spec_.push_back(feature.field);
  }

  const ModelFit& fit_;
  Features features_;  // that nothing has taken yet
  FeatureSpec spec_;
};

}  // namespace

Dataset open_tfrecords(const std::vector<std::string>& paths, const ModelFit& fit) {
  return TfRecordOpener(fit).open(paths);
}

}  // namespace plimsoll
