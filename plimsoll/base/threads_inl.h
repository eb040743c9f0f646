#pragma once

#include <algorithm>

namespace plimsoll {

template <class Body>
void parallel_for(int64_t size, int64_t grain, Body&& body) {
  if (size <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int64_t grains = (size + grain - 1) / grain;
  const int64_t parts = std::min<int64_t>(thread_count(), grains);
  if (parts <= 1) {
    body(int64_t{0}, size);
    return;
  }
  const auto cut = [&](int64_t part) { return std::min(size, grains * part / parts * grain); };
  const int threads = static_cast<int>(parts);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int64_t part = 0; part < parts; ++part) body(cut(part), cut(part + 1));
}

}  // namespace plimsoll
