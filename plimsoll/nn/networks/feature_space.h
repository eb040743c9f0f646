// FeatureSpaceBody: Keras's FeatureSpace. Every column of a table goes through a layer of its own,
// some of them are crossed, and what comes out is one vector, or a tensor for each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/nn/networks/functional.h"

namespace plimsoll {

struct FeatureSpaceOptions {
  struct Feature {
    std::string name;
    DType dtype = DType::float32;
    Layer preprocessor = {};
    std::string output_mode = "float";  // "int", "one_hot"
  };
  struct Cross {
    std::vector<std::string> feature_names;
    int64_t crossing_dim = 32;
    std::string output_mode = "one_hot";  // or "int"

    // "port_X_class"
    std::string name() const;
  };

  std::vector<Feature> features = {};  // weight files number their layers in this order
  std::vector<Cross> crosses = {};
  std::string output_mode = "concat";  // or "dict"
  // Defaults of features that are made by name; only kept.
  int64_t crossing_dim = 32, hashing_dim = 32, num_discretization_bins = 32;
  std::string name = {};
};

class FeatureSpaceBody final : public Network {
 public:
  // InvalidArgument where a feature cannot be encoded as its output_mode says, or where one that is
  // not encoded is to be part of the vector.
  explicit FeatureSpaceBody(FeatureSpaceOptions options);

  std::string_view class_name() const override { return "FeatureSpace"; }
  int input_count() const override { return 0; }
  Tensors call(const Tensors& inputs, const CallContext& context) override;
  std::vector<Child> children() const override;

  Ports inputs() const override { return network_->inputs(); }
  // One, called as the space; or one for each feature and cross, by their names in order.
  Ports outputs() const override;
  std::vector<Row> rows() const override { return network_->rows(); }

  const FeatureSpaceOptions& options() const { return options_; }

 private:
  struct Made {
    std::string name;
    std::string output_mode;
    Layer layer;
    Tensor tensor;
  };
  std::vector<Made> preprocessed(Tensors& inputs) const;
  std::vector<Made> crossed(const std::vector<Made>& features);
  Tensor encoded(const Made& made) const;
  void check_modes() const;

  FeatureSpaceOptions options_;
  std::vector<Layer> crossers_;
  std::vector<std::string> output_names_;
  std::shared_ptr<FunctionalBody> network_;
};

}  // namespace plimsoll
