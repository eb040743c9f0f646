// Rows of a table by index, and the sum of rows into a table.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Inputs: table, indices. An index outside throws InvalidArgument before anything is written.
KernelPtr make_gather(const KernelRequest& request);

// Inputs: updates (float32), indices; the output holds the sums of the updates of each row, added
// in index order. Refuses indices as above.
KernelPtr make_scatter_add(const KernelRequest& request);

}  // namespace plimsoll::kernels
