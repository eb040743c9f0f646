// All public ops.
#pragma once

#include "plimsoll/ops/activations.h"
#include "plimsoll/ops/attention.h"
#include "plimsoll/ops/convolution.h"
#include "plimsoll/ops/einsum.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/layer_normalize.h"
#include "plimsoll/ops/linear.h"
#include "plimsoll/ops/movement.h"
#include "plimsoll/ops/normalization.h"
#include "plimsoll/ops/pooling.h"
#include "plimsoll/ops/random.h"
#include "plimsoll/ops/reduction.h"
#include "plimsoll/ops/strided_slice.h"
#include "plimsoll/ops/take.h"
#include "plimsoll/ops/unit_normalize.h"
#include "plimsoll/ops/update.h"
