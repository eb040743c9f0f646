// One oneDNN primitive as a plan holds it: prepared arguments, layouts converted on the way in and
// out, and every byte it needs declared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

namespace plimsoll::kernels {

// The processor. oneDNN's cache of primitives is off: plans own theirs.
const dnnl::engine& onednn_engine();

// For every primitive: scratch memory comes from the caller.
dnnl::primitive_attr onednn_attributes();

// oneDNN generates the code of its matrix product when it first runs one, and takes a few MiB for
// it. Call this where a primitive that will run one is made, so that this memory is taken before
// the plan is.
void prepare_matrix_products();

// While one is alive, primitives that this thread makes and runs with oneDNN use one thread. It is
// for primitives that several threads run side by side, and for those so small that a fork costs
// more.
class OneThread {
 public:
  explicit OneThread(bool active);
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  bool active_;
};

// An argument of a primitive: how it lies in the caller's memory and how the primitive wants it.
struct OneDnnBinding {
  int argument = 0;  // DNNL_ARG_…
  bool is_output = false;
  dnnl::memory::desc given, wanted;
  bool constant = false;  // the same bytes for all runs of a series, such as weights
};

class OneDnnPrimitive {
 public:
  // `scratchpad` is the primitive descriptor's.
  OneDnnPrimitive(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad,
                  const std::vector<OneDnnBinding>& bindings);

  int64_t scratch_bytes() const { return scratch_bytes_; }

  // The same code with memory objects of its own, to be run beside this one.
  OneDnnPrimitive clone() const;

  // `pointers`: one per binding, in their order. Allocates nothing itself (oneDNN makes a few small
  // allocations per execution). Only one thread may call it at a time. `again` continues a series
  // of runs with the same scratch: what was converted of constant bindings is still there.
  void run(void* const* pointers, std::byte* scratch, bool again = false) const;

 private:
  // A primitive and the arguments that it runs with.
  struct Stage {
    dnnl::primitive primitive;
    std::vector<dnnl_exec_arg_t> arguments;
    bool constant = false;  // need not run again
    bool small = false;     // not worth a fork
  };
  // A memory object whose bytes are at an offset of the scratch or at an address from the caller.
  struct BoundMemory {
    dnnl::memory memory;
    int binding = -1;  // -1: scratch
    int64_t offset = 0;
  };

  OneDnnPrimitive() = default;
  dnnl_memory_t place(const dnnl::memory::desc& desc, int binding, int64_t offset);
  void add_conversion(const dnnl::reorder::primitive_desc& desc, dnnl_memory_t from,
                      dnnl_memory_t to, bool constant);
  // Appends a stage; `arguments` lack the scratchpad.
  void add_stage(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad,
                 std::vector<dnnl_exec_arg_t> arguments);

  std::vector<Stage> stages_;  // conversions in, the primitive, conversions out
  std::vector<BoundMemory> places_;
  int64_t scratch_bytes_ = 0;
};

}  // namespace plimsoll::kernels
