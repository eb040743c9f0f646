// Delta debugging: the fewest items of a list with which something still fails.
//
// The list is cut into parts. If one part alone fails, the search goes on in it; if the rest fails
// without a part, it goes on in the rest; else the parts are cut in half. Worked example: of 8
// items, 3 and 6 together fail.
//
//   1 2 3 4 | 5 6 7 8        neither half fails: cut finer
//   1 2 | 3 4 | 5 6 | 7 8    none of the four fails alone; without 1 2 it fails
//         3 4 | 5 6 | 7 8    without 7 8 it fails
//         3 4 | 5 6          neither half fails: cut finer
//         3 | 4 | 5 | 6      without 4 it fails, then without 5: 3 6
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace plimsoll {

struct Fewest {
  std::vector<int64_t> kept;
  int64_t trials = 0;      // calls of `still_fails`; no list is tried twice
  bool is_minimal = true;  // none of those that are kept can be left out alone; false: out of time
};

// `items` are known to fail together. `still_fails` is called with some of them, in their order,
// and never with none. The search ends early, with the best so far, when `is_over` says so.
Fewest fewest(std::vector<int64_t> items,
              const std::function<bool(const std::vector<int64_t>&)>& still_fails,
              const std::function<bool()>& is_over = {});

}  // namespace plimsoll
