// All public ops.
#pragma once

#include "plimsoll/ops/attention/attention.h"
#include "plimsoll/ops/convolution/convolution.h"
#include "plimsoll/ops/convolution/pooling.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/einsum.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/movement/strided_slice.h"
#include "plimsoll/ops/movement/take.h"
#include "plimsoll/ops/normalization/layer_normalize.h"
#include "plimsoll/ops/normalization/normalization.h"
#include "plimsoll/ops/normalization/unit_normalize.h"
#include "plimsoll/ops/random/random.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "plimsoll/ops/update/update.h"
