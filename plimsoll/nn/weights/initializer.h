// Initializer: how a new weight is filled. A value made from Keras's name ("glorot_uniform") or by
// one of the functions below, which are named as Keras's classes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/variable.h"

namespace plimsoll {

class Initializer {
 public:
  enum class Distribution { constant, uniform, normal, truncated_normal, orthogonal, identity };
  // What the variance of a weight is divided by; `none` leaves it as it is.
  enum class Fan { none, in, out, average };

  // The kind of an initializer and its numbers.
  struct Settings {
    std::string_view name = "zeros";
    Distribution distribution = Distribution::constant;
    double first = 0;   // the constant, the lower bound, the mean, or the gain
    double second = 0;  // the upper bound or the standard deviation
    Fan fan = Fan::none;
    double scale = 1;  // of the variance, where there is a fan
    std::optional<int64_t> seed = {};
    // Whose sizes are the inputs and outputs of a unit; none: as kernels of layers have them.
    std::vector<int> input_axes = {}, output_axes = {};
  };

  Initializer() = default;
  // By Keras's name; InvalidArgument lists the known names.
  Initializer(const char* name) : Initializer(std::string_view(name)) {}
  Initializer(const std::string& name) : Initializer(std::string_view(name)) {}
  Initializer(std::string_view name);
  explicit Initializer(const Settings& settings) : settings_(settings) {}

  std::string_view name() const { return settings_.name; }
  std::string_view class_name() const;  // Keras's: "GlorotUniform"
  const Settings& settings() const { return settings_; }

  // The values of a weight called `path`, row-major: a pure function of (seed, path, element). An
  // initializer with its own seed gives every weight of a shape the same values, as Keras does.
  std::vector<float> values(const Shape& shape, int64_t seed, std::string_view path) const;

  // Writes a new variable, which must not have been read yet. `drawn_as`, of as many elements,
  // takes the place of the variable's shape if its rank is not 0.
  void fill(const Variable& variable, int64_t seed, const Shape& drawn_as = {}) const;

 private:
  Settings settings_;
};

std::vector<std::string_view> initializer_names();

struct SeedOptions {
  std::optional<int64_t> seed = {};
};
struct ConstantOptions {
  double value = 0;
};
struct NormalOptions {
  double mean = 0;
  double stddev = 0.05;
  std::optional<int64_t> seed = {};
};
struct UniformOptions {
  double minval = -0.05;
  double maxval = 0.05;
  std::optional<int64_t> seed = {};
};
struct VarianceScalingOptions {
  double scale = 1;
  std::string mode = "fan_in";                    // or "fan_out", "fan_avg"
  std::string distribution = "truncated_normal";  // or "untruncated_normal", "uniform"
  std::optional<int64_t> seed = {};
  std::vector<int> input_axes = {}, output_axes = {};  // both or none
};
struct IdentityInitializerOptions {
  double gain = 1;
};
struct OrthogonalOptions {
  double gain = 1;
  std::optional<int64_t> seed = {};
};

Initializer Zeros();
Initializer Ones();
Initializer Constant(const ConstantOptions& options = {});
Initializer RandomNormal(const NormalOptions& options = {});
Initializer TruncatedNormal(const NormalOptions& options = {});
Initializer RandomUniform(const UniformOptions& options = {});
Initializer VarianceScaling(const VarianceScalingOptions& options = {});
Initializer GlorotUniform(const SeedOptions& options = {});
Initializer GlorotNormal(const SeedOptions& options = {});
Initializer HeUniform(const SeedOptions& options = {});
Initializer HeNormal(const SeedOptions& options = {});
Initializer LecunUniform(const SeedOptions& options = {});
Initializer LecunNormal(const SeedOptions& options = {});
Initializer Orthogonal(const OrthogonalOptions& options = {});
// Ones on the diagonal of a matrix, times the gain. Identity is a layer.
Initializer IdentityInitializer(const IdentityInitializerOptions& options = {});

}  // namespace plimsoll
