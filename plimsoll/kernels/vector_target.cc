#include "plimsoll/kernels/vector_target.h"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <oneapi/dnnl/dnnl.hpp>

#include "plimsoll/base/error.h"

namespace plimsoll::kernels {
namespace {

constexpr const char* kVariable = "PLIMSOLL_VECTOR_TARGET";

struct VectorTarget {
  std::string_view name;
  int64_t bit;  // of Highway, where a better target has a lower bit
  dnnl::cpu_isa onednn;
};

// oneDNN has no code for SSE2 alone. Highway 1.0.3 has no HWY_SSE2, but this bit free.
constexpr VectorTarget kTargets[] = {
    {"SSE2", 1LL << 14, dnnl::cpu_isa::sse41},
    {"SSE4", HWY_SSE4, dnnl::cpu_isa::sse41},
    {"AVX2", HWY_AVX2, dnnl::cpu_isa::avx2},
    {"AVX3", HWY_AVX3, dnnl::cpu_isa::avx512_core},
};

}  // namespace

void limit_vector_target() {
  static const bool done = [] {
    if (const char* name = std::getenv(kVariable)) limit_vector_target(name);
    return true;
  }();
  static_cast<void>(done);
}

void limit_vector_target(std::string_view name) {
  const auto* target = std::ranges::find(kTargets, name, &VectorTarget::name);
  if (target == std::end(kTargets))
    throw InvalidArgument(
        fmt::format("{}: expected SSE2, SSE4, AVX2 or AVX3, found '{}'", kVariable, name));
  if (dnnl::set_max_cpu_isa(target->onednn) != dnnl::status::success)
    throw Error(fmt::format("{} must be applied before oneDNN is first used", kVariable));
  hwy::DisableTargets(target->bit - 1);
}

std::string_view vector_target() {
  const int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

}  // namespace plimsoll::kernels
