// The Python module plimsoll._core: the engine under plimsoll.keras and plimsoll.tensorflow.
#include <malloc.h>

#include <cstdlib>

#include "python/bindings/bind.h"
#include "python/bindings/event_files.h"
#include "python/bindings/reduce.h"

namespace {

// The memory of the process is planned, so what NumPy frees of a batch goes back to the system: by
// itself malloc would keep twice the largest block that was ever freed, for each thread.
void give_large_blocks_back() {
#ifdef __GLIBC__
  constexpr int kLarge = 4 << 20;
  if (std::getenv("MALLOC_MMAP_THRESHOLD_") != nullptr) return;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, 2 * kLarge);
#endif
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace plimsoll::python;
  give_large_blocks_back();
  // Python's interpreter keeps classes and functions until the very end, and reports them as leaks.
  nb::set_leak_warnings(false);
  bind_errors(module);
  bind_caller(module);
  bind_tensors(module);
  bind_variables(module);
  bind_ops(module);
  bind_operations(module);
  bind_random(module);
  bind_samples(module);
  bind_tape(module);
  bind_custom_gradient(module);
  bind_settings(module);
  bind_objectives(module);
  bind_optimizers(module);
  bind_layers(module);
  bind_preprocessing(module);
  bind_data(module);
  bind_images(module);
  bind_event_files(module);
  bind_run_list(module);
  bind_memory(module);
  bind_callbacks(module);
  bind_progress(module);
  bind_models(module);
  bind_kept_weights(module);
  bind_replay(module);
  bind_doctor(module);
  bind_reduce(module);
  bind_reports(module);
}
