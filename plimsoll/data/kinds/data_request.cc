#include "plimsoll/data/kinds/data_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// The field of each port.
Names choose(const DataRequest& request, const std::vector<WantedField>& ports, const char* only,
             const char* side, const Names& found, const char* what) {
  Names chosen;
  for (const WantedField& port : ports) {
    if (contains(found, port.name))
      chosen.push_back(port.name);
    else if (ports.size() == 1 && contains(found, only))
      chosen.emplace_back(only);
    else
      throw InvalidArgument(fmt::format("{}: expected {} {}'{}' for the {} of the model, found {}",
                                        request.path, what,
                                        ports.size() == 1 ? fmt::format("'{}' or ", only) : "",
                                        port.name, side, fmt::join(found, ", ")));
  }
  return chosen;
}

}  // namespace

TargetForm DataRequest::only_form() const {
  return outputs.size() == 1 ? outputs[0].form : TargetForm::unknown;
}

Names names_of(const std::vector<WantedField>& fields) {
  Names names;
  for (const WantedField& field : fields) names.push_back(field.name);
  return names;
}

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

Names FieldChoice::all() const {
  Names names = inputs;
  names.insert(names.end(), targets.begin(), targets.end());
  names.insert(names.end(), weights.begin(), weights.end());
  return names;
}

std::string shape_text(const Shape& shape) {
  Names sizes;
  for (const int64_t size : shape)
    sizes.push_back(size == kOpenSize ? "None" : std::to_string(size));
  return fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
}

FieldChoice choose_by_name(const DataRequest& request, const Names& found, const char* what) {
  FieldChoice choice{choose(request, request.inputs, "x", "input", found, what), {}, {}};
  if (!request.options.targets) return choice;
  choice.targets = choose(request, request.outputs, "y", "output", found, what);
  if (contains(found, "sample_weight")) choice.weights.emplace_back("sample_weight");
  return choice;
}

ColorMode color_mode_for(const DataRequest& request, const WantedField& input) {
  const int64_t channels = input.spec.shape.back();
  if (channels == kOpenSize || channels == 3) return ColorMode::rgb;
  if (channels == 1) return ColorMode::grayscale;
  if (channels == 4) return ColorMode::rgba;
  throw InvalidArgument(
      fmt::format("{}: images have 1, 3 or 4 channels, the model's input '{}' takes {}",
                  request.path, input.name, channels));
}

std::array<int64_t, 2> image_size_for(const DataRequest& request, const WantedField& input) {
  const Shape& shape = input.spec.shape;
  const auto& asked = request.options.image_size;
  if (shape.rank() != 3)
    throw InvalidArgument(
        fmt::format("{}: images need an input of shape (height, width, channels); '{}' has {}",
                    request.path, input.name, shape_text(shape)));
  const std::array<int64_t, 2> own = {shape[0], shape[1]};
  const bool is_open = own[0] == kOpenSize || own[1] == kOpenSize;
  if (!is_open && asked.value_or(own) == own) return own;
  if (!is_open)
    throw InvalidArgument(
        fmt::format("{}: the model's input '{}' takes images of {}x{}, and they are resized to "
                    "that; leave --image-size out",
                    request.path, input.name, own[0], own[1]));
  if (!asked)
    throw InvalidArgument(
        fmt::format("{}: the model takes images of any size {}; choose one with --image-size, "
                    "224x224 say",
                    request.path, shape_text(shape)));
  return *asked;
}

std::array<int64_t, 2> image_size_as_asked(const DataRequest& request) {
  return request.options.image_size.value_or(std::array<int64_t, 2>{256, 256});
}

}  // namespace plimsoll
