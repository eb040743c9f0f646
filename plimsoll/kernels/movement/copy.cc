#include "plimsoll/kernels/movement/copy.h"

#include <cstring>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainBytes = 1 << 18;

class Copy final : public Kernel {
 public:
  explicit Copy(int64_t bytes) : bytes_(bytes) {}

  void run(const KernelArguments& arguments) const override {
    const std::byte* from = arguments.inputs[0];
    std::byte* to = arguments.outputs[0];
    if (from == to) return;
    parallel_for(bytes_, kGrainBytes, [=](int64_t begin, int64_t end) {
      std::memcpy(to + begin, from + begin, static_cast<size_t>(end - begin));
    });
  }

 private:
  int64_t bytes_;
};

}  // namespace

KernelPtr make_copy(const KernelRequest& request) {
  return std::make_unique<Copy>(request.inputs[0].bytes());
}

}  // namespace plimsoll::kernels
