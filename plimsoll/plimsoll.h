// Everything a program that trains with Plimsoll needs.
#pragma once

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/formats/idx.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/ops/ops.h"
#include "plimsoll/train/callbacks.h"
#include "plimsoll/train/model.h"
