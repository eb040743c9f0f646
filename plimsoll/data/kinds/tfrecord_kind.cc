// TFRecord files: features by the names that the file of features gives them, as the arrays of a
// .npz have them, or in its order: inputs, then targets.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/sources/feature_file.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

using Features = std::vector<NamedFeature>;

bool is_tfrecord(const DataFile& file) {
  const std::string name = file.name();
  return !file.is_folder && name.find(".tfrecord") != name.npos && !kind_by_name(name);
}

bool is_tfrecord_in_folder(const std::string& below) {
  return below.find('/') == below.npos && is_tfrecord({below});
}

Features features_of(const DataRequest& request) {
  if (request.options.features.empty())
    throw InvalidArgument(
        fmt::format("{}: a TFRecord file does not describe its features; name a file that does "
                    "with --features",
                    request.is_for_model ? request.path : request.files[0]));
  return read_feature_file(request.options.features);
}

NamedFields open_features_as_they_are(const DataRequest& request) {
  NamedFields fields;
  FeatureSpec spec;
  for (NamedFeature& feature : features_of(request)) {
    if (feature.field.image && !feature.has_image_size)
      feature.field.image->image_size = image_size_as_asked(request);
    spec.push_back(feature.field);
    fields.names.push_back(feature.name);
  }
  fields.records = tfrecord_source(request.files, spec);
  return fields;
}

class FeatureChooser {
 public:
  explicit FeatureChooser(const DataRequest& request)
      : request_(request), features_(features_of(request)) {}

  NamedFields open() {
    const auto weight = take("sample_weight");
    for (const WantedField& input : request_.inputs) add_input(input);
    if (request_.options.targets) {
      for (const WantedField& output : request_.outputs) add_target(output);
      if (weight) add(*weight);
    }
    return {.records = tfrecord_source(request_.files, spec_),
            .names = names_,
            .sample_weights = request_.options.targets && weight ? 1 : 0,
            .has_class_numbers = true};
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
  NamedFeature take_for(const WantedField& port, const std::vector<WantedField>& ports,
                        const std::string& only, const char* what) {
    if (auto feature = take(port.name)) return *feature;
    if (ports.size() == 1)
      if (auto feature = take(only)) return *feature;
    const auto free = std::ranges::find_if(
        features_, [&](const NamedFeature& feature) { return !is_named_for_a_port(feature.name); });
    if (free != features_.end()) return *take(std::string(free->name));
    Names left;
    for (const NamedFeature& feature : features_) left.push_back(feature.name);
    throw InvalidArgument(fmt::format(
        "{}: expected a feature for the {} '{}' of the model, found {}", request_.options.features,
        what, port.name, left.empty() ? "no other" : fmt::format("{}", fmt::join(left, ", "))));
  }

  bool is_named_for_a_port(const std::string& name) const {
    return name == "x" || name == "y" || contains(names_of(request_.inputs), name) ||
           contains(names_of(request_.outputs), name);
  }

  void add(const NamedFeature& feature) {
    spec_.push_back(feature.field);
    names_.push_back(feature.name);
  }

  void add_input(const WantedField& input) {
    NamedFeature feature = take_for(input, request_.inputs, "x", "input");
    FeatureField& field = feature.field;
    if (field.image) {
      if (!feature.has_color_mode) field.image->color_mode = color_mode_for(request_, input);
      if (!feature.has_image_size) field.image->image_size = image_size_for(request_, input);
    } else {
      if (!feature.has_dtype) field.dtype = input.spec.dtype;
      if (!feature.has_shape) field.shape = known_shape(input);
    }
    add(feature);
  }

  const Shape& known_shape(const WantedField& input) const {
    const Shape& shape = input.spec.shape;
    if (std::ranges::find(shape, kOpenSize) != shape.end())
      throw InvalidArgument(
          fmt::format("{}: the model's input '{}' takes {}; give its feature a shape",
                      request_.options.features, input.name, shape_text(shape)));
    return shape;
  }

  // A number, unless the file says more: of a class where the model takes classes.
  void add_target(const WantedField& output) {
    NamedFeature feature = take_for(output, request_.outputs, "y", "output");
    const TargetForm form = request_.only_form();
    const bool is_class = form == TargetForm::class_numbers || form == TargetForm::class_vectors;
    if (!feature.has_dtype && is_class && feature.field.shape.rank() == 0)
      feature.field.dtype = DType::int32;
    add(feature);
  }

  const DataRequest& request_;
  Features features_;  // that nothing has taken yet
  FeatureSpec spec_;
  Names names_;
};

NamedFields open_tfrecords(const DataRequest& request) {
  return request.is_for_model ? FeatureChooser(request).open() : open_features_as_they_are(request);
}

}  // namespace

namespace kinds {

extern constexpr DataKind tfrecord{.name = "tfrecord",
                                   .files = ".tfrecord files",
                                   .help = ".tfrecord files",
                                   .recognises = is_tfrecord,
                                   .count = kAnyFiles,
                                   .is_in_folder = is_tfrecord_in_folder,
                                   .are_files_of_folder = true,
                                   .takes = {DataOption::features, DataOption::image_size},
                                   .open = open_tfrecords};

}  // namespace kinds
}  // namespace plimsoll
