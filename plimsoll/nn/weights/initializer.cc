#include "plimsoll/nn/weights/initializer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/nn/weights/initializer_draw.h"

namespace plimsoll {
namespace {

using Distribution = Initializer::Distribution;
using Fan = Initializer::Fan;

// The standard deviation of a standard normal that is cut off at 2.
constexpr double kTruncatedStddev = 0.87962566103423978;

struct NamedInitializer {
  Initializer::Settings settings;
  std::string_view class_name;
  std::string_view alias = {};
};

Initializer::Settings scaled(std::string_view name, Distribution distribution, Fan fan,
                             double scale) {
  return {.name = name, .distribution = distribution, .fan = fan, .scale = scale};
}

const std::vector<NamedInitializer>& named() {
  using enum Initializer::Distribution;
  static const std::vector<NamedInitializer> rows = {
      {{.name = "zeros"}, "Zeros", "zero"},
      {{.name = "ones", .first = 1}, "Ones", "one"},
      {{.name = "constant"}, "Constant"},
      {{.name = "random_normal", .distribution = normal, .second = 0.05}, "RandomNormal", "normal"},
      {{.name = "truncated_normal", .distribution = truncated_normal, .second = 0.05},
       "TruncatedNormal"},
      {{.name = "random_uniform", .distribution = uniform, .first = -0.05, .second = 0.05},
       "RandomUniform",
       "uniform"},
      {scaled("variance_scaling", truncated_normal, Fan::in, 1), "VarianceScaling"},
      {scaled("glorot_uniform", uniform, Fan::average, 1), "GlorotUniform"},
      {scaled("glorot_normal", truncated_normal, Fan::average, 1), "GlorotNormal"},
      {scaled("he_uniform", uniform, Fan::in, 2), "HeUniform"},
      {scaled("he_normal", truncated_normal, Fan::in, 2), "HeNormal"},
      {scaled("lecun_uniform", uniform, Fan::in, 1), "LecunUniform"},
      {scaled("lecun_normal", truncated_normal, Fan::in, 1), "LecunNormal"},
      {{.name = "orthogonal", .distribution = orthogonal, .first = 1},
       "Orthogonal",
       "OrthogonalInitializer"},
      {{.name = "identity", .distribution = identity, .first = 1},
       "Identity",
       "IdentityInitializer"},
  };
  return rows;
}

Initializer::Settings find(std::string_view name) {
  for (const NamedInitializer& row : named())
    if (name == row.settings.name || name == row.class_name || (name == row.alias && !name.empty()))
      return row.settings;
  std::vector<std::string> known;
  for (const NamedInitializer& row : named()) known.emplace_back(row.settings.name);
  throw InvalidArgument(not_known("initializer:", name, known));
}

Initializer seeded(std::string_view name, std::optional<int64_t> seed) {
  Initializer::Settings settings = find(name);
  settings.seed = seed;
  return Initializer(settings);
}

double size_of_axes(const Shape& shape, const std::vector<int>& axes) {
  double size = 1;
  for (const int axis : axes) {
    const int at = axis < 0 ? axis + shape.rank() : axis;
    if (at < 0 || at >= shape.rank())
      throw InvalidArgument(fmt::format("initializer: axis {} is not in a weight of shape {}", axis,
                                        shape.to_string()));
    size *= static_cast<double>(shape[at]);
  }
  return size;
}

// How many inputs and outputs one unit of the weight has.
std::array<double, 2> fans(const Shape& shape) {
  const int rank = shape.rank();
  if (rank == 0) return {1, 1};
  if (rank == 1) return {static_cast<double>(shape[0]), static_cast<double>(shape[0])};
  const auto field = static_cast<double>(shape.elements(0, rank - 2));
  return {static_cast<double>(shape[rank - 2]) * field,
          static_cast<double>(shape[rank - 1]) * field};
}

double fan_of(const Shape& shape, const Initializer::Settings& settings) {
  const Fan fan = settings.fan;
  const bool has_axes = !settings.input_axes.empty() && !settings.output_axes.empty();
  const auto [in, out] = has_axes ? std::array{size_of_axes(shape, settings.input_axes),
                                               size_of_axes(shape, settings.output_axes)}
                                  : fans(shape);
  return std::max(1.0, fan == Fan::in ? in : fan == Fan::out ? out : (in + out) / 2);
}

// The settings with the bounds or the standard deviation for this shape.
Initializer::Settings settled(Initializer::Settings settings, const Shape& shape) {
  if (settings.fan == Fan::none) return settings;
  const double variance = settings.scale / fan_of(shape, settings);
  if (settings.distribution == Distribution::uniform) {
    settings.second = std::sqrt(3 * variance);
    settings.first = -settings.second;
  } else {
    const bool truncated = settings.distribution == Distribution::truncated_normal;
    settings.second = std::sqrt(variance) / (truncated ? kTruncatedStddev : 1);
  }
  return settings;
}

}  // namespace

Initializer::Initializer(std::string_view name) : settings_(find(name)) {}

std::string_view Initializer::class_name() const {
  for (const NamedInitializer& row : named())
    if (row.settings.name == name()) return row.class_name;
  return "";
}

std::vector<float> Initializer::values(const Shape& shape, int64_t seed,
                                       std::string_view path) const {
  const Initializer::Settings settings = settled(settings_, shape);
  const Draw draw = settings.seed ? Draw(*settings.seed, "") : Draw(seed, path);
  std::vector<float> values(static_cast<size_t>(shape.elements()));
  switch (settings.distribution) {
    case Distribution::constant:
      std::ranges::fill(values, static_cast<float>(settings.first));
      break;
    case Distribution::uniform:
      draw.uniform(values, settings.first, settings.second);
      break;
    case Distribution::normal:
      draw.normal(values, settings.first, settings.second);
      break;
    case Distribution::truncated_normal:
      draw.truncated_normal(values, settings.first, settings.second);
      break;
    case Distribution::orthogonal:
      if (shape.rank() < 2)
        throw InvalidArgument("initializer: orthogonal wants a weight of rank 2 or more, found " +
                              shape.to_string());
      draw.orthogonal(values, shape.elements(0, shape.rank() - 1), shape.back(), settings.first);
      break;
    case Distribution::identity:
      if (shape.rank() != 2)
        throw InvalidArgument("initializer: identity wants a weight of rank 2, found " +
                              shape.to_string());
      for (int64_t i = 0; i < std::min(shape[0], shape[1]); ++i)
        values[static_cast<size_t>(i * (shape[1] + 1))] = static_cast<float>(settings.first);
      break;
  }
  return values;
}

void Initializer::fill(const Variable& variable, int64_t seed, const Shape& drawn_as) const {
  if (variable.spec().dtype != DType::float32)
    throw InvalidArgument("initializer: variable " + variable.name() + " is " +
                          variable.spec().to_string() + ", expected float32");
  const Shape& shape = drawn_as.rank() > 0 ? drawn_as : variable.shape();
  const std::vector<float> made = values(shape, seed, variable.name());
  if (!made.empty()) std::memcpy(variable.data(), made.data(), made.size() * sizeof(float));
}

std::vector<std::string_view> initializer_names() {
  std::vector<std::string_view> names;
  for (const NamedInitializer& row : named()) names.push_back(row.settings.name);
  return names;
}

Initializer Zeros() {
  return "zeros";
}
Initializer Ones() {
  return "ones";
}
Initializer Constant(const ConstantOptions& options) {
  return Initializer(Initializer::Settings{.name = "constant", .first = options.value});
}
Initializer RandomNormal(const NormalOptions& options) {
  return Initializer(Initializer::Settings{.name = "random_normal",
                                           .distribution = Distribution::normal,
                                           .first = options.mean,
                                           .second = options.stddev,
                                           .seed = options.seed});
}
Initializer TruncatedNormal(const NormalOptions& options) {
  return Initializer(Initializer::Settings{.name = "truncated_normal",
                                           .distribution = Distribution::truncated_normal,
                                           .first = options.mean,
                                           .second = options.stddev,
                                           .seed = options.seed});
}
Initializer RandomUniform(const UniformOptions& options) {
  return Initializer(Initializer::Settings{.name = "random_uniform",
                                           .distribution = Distribution::uniform,
                                           .first = options.minval,
                                           .second = options.maxval,
                                           .seed = options.seed});
}
Initializer Orthogonal(const OrthogonalOptions& options) {
  return Initializer(Initializer::Settings{.name = "orthogonal",
                                           .distribution = Distribution::orthogonal,
                                           .first = options.gain,
                                           .seed = options.seed});
}
Initializer IdentityInitializer(const IdentityInitializerOptions& options) {
  return Initializer(Initializer::Settings{
      .name = "identity", .distribution = Distribution::identity, .first = options.gain});
}
Initializer GlorotUniform(const SeedOptions& options) {
  return seeded("glorot_uniform", options.seed);
}
Initializer GlorotNormal(const SeedOptions& options) {
  return seeded("glorot_normal", options.seed);
}
Initializer HeUniform(const SeedOptions& options) {
  return seeded("he_uniform", options.seed);
}
Initializer HeNormal(const SeedOptions& options) {
  return seeded("he_normal", options.seed);
}
Initializer LecunUniform(const SeedOptions& options) {
  return seeded("lecun_uniform", options.seed);
}
Initializer LecunNormal(const SeedOptions& options) {
  return seeded("lecun_normal", options.seed);
}

Initializer VarianceScaling(const VarianceScalingOptions& options) {
  Initializer::Settings settings{.name = "variance_scaling",
                                 .scale = options.scale,
                                 .seed = options.seed,
                                 .input_axes = options.input_axes,
                                 .output_axes = options.output_axes};
  const auto refuse = [](const std::string& what) {
    throw InvalidArgument("initializer: variance_scaling: " + what);
  };
  if (!(options.scale > 0)) refuse(fmt::format("scale must be above 0, found {}", options.scale));
  if (options.input_axes.empty() != options.output_axes.empty())
    refuse("input_axes and output_axes must be given together");
  if (options.mode == "fan_in")
    settings.fan = Fan::in;
  else if (options.mode == "fan_out")
    settings.fan = Fan::out;
  else if (options.mode == "fan_avg")
    settings.fan = Fan::average;
  else
    refuse("mode '" + options.mode + "' is not known (known: fan_in, fan_out, fan_avg)");
  if (options.distribution == "uniform")
    settings.distribution = Distribution::uniform;
  else if (options.distribution == "untruncated_normal")
    settings.distribution = Distribution::normal;
  else if (options.distribution == "truncated_normal" || options.distribution == "normal")
    settings.distribution = Distribution::truncated_normal;
  else
    refuse("distribution '" + options.distribution +
           "' is not known (known: truncated_normal, untruncated_normal, uniform)");
  return Initializer(settings);
}

}  // namespace plimsoll
