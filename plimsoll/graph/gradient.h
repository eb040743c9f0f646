// Autodiff: a function from graph to graph.
#pragma once

#include <memory>
#include <span>

#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"

namespace plimsoll {

// The gradients of sum(target) with respect to each source, as new nodes; undefined where the
// target does not depend on it. `seed` replaces the ones that the target's gradient starts with.
Tensors gradients(const Tensor& target, std::span<const Tensor> sources, const Tensor& seed = {});

// What autodiff itself needs of `ops`, and is defined there.
Tensor add_gradients(const Tensor& a, const Tensor& b);
Tensor ones_like(const Tensor& x);

struct TapeOptions {
  bool persistent = false;  // gradient() may be called more than once
};

// Remembers what is recorded while it is open, as TensorFlow's tape, so that gradients can be asked
// for also after values were evaluated and variables were assigned:
//
//   GradientTape tape;
//   const Tensor loss = …;
//   tape.stop();  // gradient() does it too
//   std::cout << loss.item();
//   const Tensors found = tape.gradient(loss, weights);
//
// Gradients flow through what this tape recorded; all else is a constant. What it recorded keeps
// its history until gradient() was called, or until the end of a persistent tape. Where the first
// of them is opened the step before ends: its assignments are made, so that a loop that never asks
// for a value does not pile up steps.
//
// A tape is used on the thread that made it and may be destroyed on any.
class GradientTape {
 public:
  explicit GradientTape(const TapeOptions& options = {});
  ~GradientTape();
  GradientTape(const GradientTape&) = delete;
  GradientTape& operator=(const GradientTape&) = delete;

  // What is recorded after stop() is not on the tape, until start(). At first it is open.
  void stop() const;
  void start() const;
  bool is_open() const;

  // The gradients of the sum of all elements of the targets with respect to each source; undefined
  // where no target depends on it. `output_gradients`, none or one per target, replace the ones
  // that the gradients start with; an undefined one is ones. InvalidArgument at the second call,
  // unless the tape is persistent.
  Tensors gradient(std::span<const Tensor> targets, std::span<const Tensor> sources,
                   std::span<const Tensor> output_gradients = {}) const;
  // A variable is taken as the targets have read it, whatever was assigned since.
  Tensors gradient(std::span<const Tensor> targets, std::span<const Variable> sources,
                   std::span<const Tensor> output_gradients = {}) const;
  Tensors gradient(const Tensor& target, std::span<const Tensor> sources) const {
    return gradient(std::span(&target, 1), sources);
  }
  Tensors gradient(const Tensor& target, std::span<const Variable> sources) const {
    return gradient(std::span(&target, 1), sources);
  }

  // True while a tape is open on this thread.
  static bool recording();

 private:
  struct State;

  template <class Sources>
  Tensors ask(std::span<const Tensor> targets, const Sources& sources,
              std::span<const Tensor> output_gradients) const;
  // What it recorded needs no history any longer.
  void end() const;

  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
