// Fields: the settings of a layer, loss, metric, optimizer, … by Keras's names, described once. The
// same function writes them to a config and reads them from one:
//
//   void describe(Fields& fields, DenseOptions& options) {
//     fields.with("units", options.units).activation("activation", options.activation);
//   }
//
// Reading: a key that is missing leaves its value as it is, a value of the wrong type is
// InvalidArgument, and finish() refuses keys that were not read, unless they hold null, false or
// nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

class ActivationOption;
class Constraint;
class Initializer;
class Layer;
class LearningRate;
class Regularizer;
struct Size2D;

class Fields {
 public:
  // Reads from `config`, which must outlive it; errors begin with `owner` ("dense_1").
  Fields(const Json& config, std::string owner);
  // Writes to a new config.
  Fields();
  ~Fields();
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  bool reading() const { return source_ != nullptr; }
  // Reading: the config has the key, and not as null.
  bool has(std::string_view key) const;
  // Reading: the config has the key, as null.
  bool is_null(std::string_view key) const;

  Fields& with(const char* key, bool& value);
  Fields& with(const char* key, int& value);
  Fields& with(const char* key, int64_t& value);
  Fields& with(const char* key, double& value);
  Fields& with(const char* key, std::string& value);
  Fields& with(const char* key, std::optional<bool>& value);  // none is null
  Fields& with(const char* key, std::optional<int64_t>& value);
  Fields& with(const char* key, std::optional<double>& value);
  Fields& with(const char* key, std::optional<std::string>& value);
  Fields& with(const char* key, std::vector<int64_t>& value);  // a number is a list of one
  Fields& with(const char* key, std::vector<int>& value);
  Fields& with(const char* key, std::vector<double>& value);
  Fields& with(const char* key, std::vector<std::string>& value);
  Fields& with(const char* key, Shape& value);   // kUnknown is null
  Fields& with(const char* key, Size2D& value);  // a number means both
  Fields& with(const char* key, Initializer& value);
  Fields& with(const char* key, Regularizer& value);
  Fields& with(const char* key, Constraint& value);
  Fields& with(const char* key, LearningRate& value);
  Fields& with(const char* key, Layer& value);  // a layer inside a layer
  // Keras's name of a function, "linear" where ours is empty.
  Fields& activation(const char* key, std::string& value);
  Fields& activation(const char* key, ActivationOption& value);  // or a layer
  // A setting that has only one value here: that value is written, and any other is refused with an
  // error that names both.
  Fields& only(const char* key, const char* value);
  Fields& only(const char* key, bool value);
  Fields& only(const char* key, double value);
  Fields& only_null(const char* key);
  // A setting that does not change a result: never written; read and thrown away.
  Fields& ignored(const char* key);
  // For values of other types. Reading: the key's value, or null if there is none.
  const Json* find(const char* key);
  void write(const char* key, Json value);

  // Reading: refuses the keys that were not read.
  void finish() const;
  // Writing: the fields so far, in order.
  const Json& config() const { return *target_; }

  // Throws an InvalidArgument whose message begins with the owner.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  template <class T>
  Fields& plain(const char* key, T& value);
  template <class T>
  Fields& maybe(const char* key, std::optional<T>& value);
  template <class T>
  Fields& list(const char* key, std::vector<T>& value);
  template <class T>
  Fields& fixed(const char* key, const T& value);

  const Json* source_ = nullptr;
  std::unique_ptr<Json> target_;
  std::string owner_;
  std::set<std::string, std::less<>> asked_;
};

// The shape as configs write it.
Json shape_to_json(Shape shape);

}  // namespace plimsoll
