// The interface of an operation. An op is an immutable value: a name and attributes. It declares
// what it reads, writes and computes; it never allocates and never sees the arena. What changes
// from step to step is an input, never an attribute.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/attributes.h"
#include "plimsoll/graph/reference.h"
#include "plimsoll/graph/signature.h"
#include "plimsoll/graph/tensor.h"
#include "plimsoll/kernels/kernel.h"
#include "plimsoll/tensor/layout.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// The output may be written over the input: same bytes, and element i of the output depends on no
// element of that input that is written before it is read.
struct Overwrite {
  int input = 0;
  int output = 0;
};

// The layouts an op will read and write: one entry per input, one per output.
struct LayoutChoice {
  std::vector<Layout> inputs, outputs;
  bool plain_outputs_too = false;  // it can also write row-major at the same cost
};

// The axis of each input and output that counts the samples of a batch; negative: it has none. An
// axis may be longer than the batch: then every sample has the same number of positions on it.
struct SampleAxes {
  std::span<const Spec> in, out;
  std::vector<int> in_axes, out_axes;
  int64_t samples = 0;

  // Axis 0 counts the samples of every input and output that has samples.
  bool are_rows() const;
  // The axis is as long in output 0 as in input 0.
  bool keep_length() const;
};

class Op {
 public:
  virtual ~Op() = default;

  // snake_case, unique in the op list.
  virtual std::string_view name() const = 0;

  // Describes every attribute. Two ops of one name whose attributes are equal are the same op, and
  // the engine may run the step that it compiled for the other. An op without attributes calls
  // `to.none(*this)`.
  virtual void describe(Attributes& to) const = 0;

  // Output specs, or InvalidArgument. The message needs no op name or place: apply() adds them.
  virtual Specs infer(std::span<const Spec> in) const = 0;

  // The inputs come in `offered` layouts. Returns the layouts that the op reads (the engine
  // reorders an input that comes in another one) and those that it writes. By default all are
  // row-major.
  virtual LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec> out,
                               std::span<const Layout> offered) const;

  virtual std::vector<Overwrite> may_overwrite() const { return {}; }

  // True if output 0 is input 0 under another shape: the bytes are the same and nothing runs.
  virtual bool is_view() const { return false; }

  // The bytes of output 0, if they are at hand as soon as those of the only input are: the same
  // bytes, a part of them, or a few that are copied. Then apply() gives the node its value, and
  // attributes such as an index are in no step. Null: a step computes it.
  virtual StoragePtr value_at_once(const Spec& in, const Spec& out, const StoragePtr& value) const;

  // The gradient of each input, given that of each output. A gradient is undefined if none flows to
  // that input or from that output.
  virtual Tensors gradient(const Node& node, const Tensors& output_gradients) const;

  // A cheaper op with the same inputs and outputs that computes only the outputs marked in `used`
  // (the others have shape (0,)); null if there is none.
  virtual std::shared_ptr<const Op> pruned(std::span<const bool> used) const;

  virtual KernelPtr kernel(const KernelRequest& request) const = 0;

  // True if each sample's slice of every output depends only on that sample's slice of the inputs:
  // then a batch may be computed in parts. Called only if output 0 has a sample axis. By default an
  // op is assumed to mix samples.
  virtual bool keeps_samples_apart(const SampleAxes&) const { return false; }

  // Floating-point operations of one run, for ops that do more than pass over their bytes. The
  // planner predicts times by them.
  virtual double operations(std::span<const Spec>, std::span<const Spec>) const { return 0; }

  // What the kernel computes, in plain float64. Inputs and outputs are row-major whatever the
  // kernel's layouts.
  virtual Arrays reference(std::span<const Array> in) const = 0;
};

using OpPtr = std::shared_ptr<const Op>;

// Signs the name and the attributes. Allocates nothing but room for the bytes of the signature.
void sign_op(const Op& op, AttributeSigner& to);

// True if both have the same name and the same attributes.
bool same_op(const Op& a, const Op& b);

// "conv2d(strides=[2, 2], padding="same")": the name and the attributes that are not as usual.
std::string to_string(const Op& op);

// {"op": "conv2d", "strides": [2, 2], …}: the name and all attributes.
std::string to_json(const Op& op);

// For elementwise ops: the output and every input of the output's shape have the first blocked
// layout that is offered, or are row-major if none is.
LayoutChoice same_layout(std::span<const Spec> in, std::span<const Spec> out,
                         std::span<const Layout> offered);

// Records `op` on the inputs: a node of the pending graph. Throws InvalidArgument that names the
// op, the shapes and the caller's line.
Tensors apply_all(OpPtr op, const Tensors& inputs, Place where);

// The same for an op with one output.
Tensor apply(OpPtr op, const Tensors& inputs, Place where);

}  // namespace plimsoll
