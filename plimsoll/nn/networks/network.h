// Network: a layer made of layers. Its shapes may have dimensions that a call decides (the batch,
// say); such a dimension is kUnknown.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

inline constexpr int64_t kUnknown = -1;

// The name and spec of an input or an output of a network.
struct Port {
  std::string name;
  Spec spec;  // dimensions may be kUnknown
};
using Ports = std::vector<Port>;

class Network : public LayerBody {
 public:
  // One line of the summary: a layer, or an op between layers.
  struct Row {
    std::string name;
    std::string kind;                  // Keras's class, or the op
    std::shared_ptr<LayerBody> layer;  // null for an op
    std::vector<Shape> outputs = {};   // dimensions may be kUnknown; empty before the first call
    std::vector<std::string> sources = {};  // the rows it reads; empty in a sequence
  };

  // Empty while a Sequential has not seen its first input.
  virtual Ports inputs() const = 0;
  // An output is named after the layer that makes it.
  virtual Ports outputs() const = 0;
  virtual std::vector<Row> rows() const = 0;

 protected:
  // The layers as Keras's weight files name them: "layers/dense", "layers/dense_1", by class.
  static std::vector<Child> numbered_children(
      const std::vector<std::shared_ptr<LayerBody>>& layers);
  // Casts to the expected dtypes. InvalidArgument names the network and the input that does not
  // match.
  Tensors conform(const Tensors& inputs) const;
};

// The network is traced twice, with two different sizes in place of the unknown dimensions of its
// inputs. A dimension of a result that differs between the two depends on them.
inline constexpr int64_t kStandIn = 97;
inline constexpr int64_t kOtherStandIn = 101;

// The spec with its unknown dimensions replaced.
Spec with_stand_in(Spec spec, int64_t stand_in);
// `one` with every dimension in which `other` differs marked as kUnknown.
Shape with_unknown(Shape one, const Shape& other);
// "(None, 28, 28, 1)"
std::string display(const Shape& shape);

}  // namespace plimsoll
