// Kernel: runs one operation of a compiled step. A kernel is made when the plan is compiled, for
// fixed shapes, layouts and thread count; it declares its scratch and never allocates while it
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "plimsoll/tensor/layout.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// The specs and layouts that a kernel is made for; valid only during the call that gets it.
struct KernelRequest {
  std::span<const Spec> inputs, outputs;
  std::span<const Layout> input_layouts, output_layouts;
};

// The addresses of the tensors of one run. Outputs (except those of views) and scratch are aligned
// to Storage::kAlignment; an input may be aligned to its elements only, as a part of another tensor
// or memory of the caller's is.
struct KernelArguments {
  std::byte* const* inputs = nullptr;
  std::byte* const* outputs = nullptr;
  std::byte* scratch = nullptr;  // scratch_bytes() bytes, contents undefined

  template <class T = float>
  const T* input(int i) const {
    return reinterpret_cast<const T*>(inputs[i]);
  }
  template <class T = float>
  T* output(int i) const {
    return reinterpret_cast<T*>(outputs[i]);
  }
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual int64_t scratch_bytes() const { return 0; }
  virtual void run(const KernelArguments& arguments) const = 0;
};

using KernelPtr = std::unique_ptr<Kernel>;

}  // namespace plimsoll
