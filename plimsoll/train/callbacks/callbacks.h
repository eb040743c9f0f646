// All callbacks.
#pragma once

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/callbacks/csv_logger.h"
#include "plimsoll/train/callbacks/early_stopping.h"
#include "plimsoll/train/callbacks/lambda_callback.h"
#include "plimsoll/train/callbacks/learning_rate_scheduler.h"
#include "plimsoll/train/callbacks/model_checkpoint.h"
#include "plimsoll/train/callbacks/profiler.h"
#include "plimsoll/train/callbacks/reduce_lr_on_plateau.h"
#include "plimsoll/train/callbacks/tensor_board.h"
#include "plimsoll/train/callbacks/terminate_on_nan.h"
