// The interface of an operation. An op is an immutable value: its attributes and what it declares
// about itself. It never allocates and never sees the arena. What changes from step to step is an
// input, never an attribute.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

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

// The layouts an op will read and write; one entry an input, one an output.
struct LayoutChoice {
  std::vector<Layout> inputs, outputs;
  bool plain_outputs_too = false;  // it makes row-major outputs as gladly
};

// Along which axis of each input and output the samples of a batch lie; negative: along none. An
// axis may be longer than the batch: then each sample has as many places of it as the others.
struct SampleAxes {
  std::span<const Spec> in, out;
  std::vector<int> in_axes, out_axes;
  int64_t samples = 0;

  // Samples lie along axis 0 of what has them.
  bool are_rows() const;
  // The axis is as long in output 0 as in input 0.
  bool keep_length() const;
};

class Op {
 public:
  virtual ~Op() = default;

  // snake_case, unique in the op list.
  virtual std::string_view name() const = 0;

  // Adds every attribute; two ops with the same name and signature are the same op.
  virtual void sign(Signature&) const {}

  // Output specs, or InvalidArgument. The message needs no op name or place: apply() adds them.
  virtual Specs infer(std::span<const Spec> in) const = 0;

  // The inputs come in `offered` layouts; answers what the op wants them in (the engine reorders
  // where it differs) and what it makes. The default is row-major throughout.
  virtual LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec> out,
                               std::span<const Layout> offered) const;

  virtual std::vector<Overwrite> may_overwrite() const { return {}; }

  // True when output 0 is input 0 under another shape: same bytes, nothing runs.
  virtual bool is_view() const { return false; }

  // The gradient of each input, given that of each output (undefined where none flows). An
  // undefined answer means that nothing flows to that input.
  virtual Tensors gradient(const Node& node, const Tensors& output_gradients) const;

  // A cheaper op of the same arity for when only the outputs marked in `used` are read (its other
  // outputs have shape (0,)); null where there is none.
  virtual std::shared_ptr<const Op> pruned(std::span<const bool> used) const;

  virtual KernelPtr kernel(const KernelRequest& request) const = 0;

  // Does what stands at a sample's places of the outputs depend on nothing but that sample's places
  // of the inputs? Then a batch may be computed in parts. Asked where output 0 has a sample axis;
  // an op that does not say is taken to mix samples.
  virtual bool keeps_samples_apart(const SampleAxes&) const { return false; }

  // Floating-point operations of one run, for ops that do more than pass over their bytes; what
  // the planner predicts times by.
  virtual double operations(std::span<const Spec>, std::span<const Spec>) const { return 0; }

  // The same in plain float64; inputs and outputs are row-major whatever the kernel's layouts.
  virtual Arrays reference(std::span<const Array> in) const = 0;
};

using OpPtr = std::shared_ptr<const Op>;

// For elementwise ops: every input of the output's shape, and the output, in the first blocked
// layout offered; plain if none is.
LayoutChoice same_layout(std::span<const Spec> in, std::span<const Spec> out,
                         std::span<const Layout> offered);

// Records `op` on the inputs: a node of the pending graph. Throws InvalidArgument that names the
// op, the shapes and the caller's line.
Tensors apply_all(OpPtr op, const Tensors& inputs, Place where);

// The same for an op with one output.
Tensor apply(OpPtr op, const Tensors& inputs, Place where);

}  // namespace plimsoll
