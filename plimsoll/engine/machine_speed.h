// How fast this machine computes and reads memory. Predictions of times are scaled by it.
#pragma once

#include <cstdint>

namespace plimsoll {

// Of all threads together.
struct MachineSpeed {
  double operations_per_second;  // of a large matrix product
  double bytes_per_second;       // read and written by a pass over tensors that no cache holds
};

// As it was measured on this machine; typical numbers where it never was.
MachineSpeed machine_speed();

// True if it was measured, here or by an earlier process.
bool is_machine_speed_known();

// The typical numbers: the same on every machine, for as many threads.
MachineSpeed typical_speed();

// Measures it, unless it is known: once for each machine and number of threads, in a fraction of a
// second. The result is kept in the user's cache folder. Measuring takes some 50 MiB; if there is
// not much more room, it is left out. True if it was measured now, so predictions change.
bool measure_machine_speed(int64_t room_bytes);

// The next call reads or measures it anew.
void forget_machine_speed();

}  // namespace plimsoll
