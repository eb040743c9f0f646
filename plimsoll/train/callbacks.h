// All callbacks.
#pragma once

#include "plimsoll/train/callback.h"
#include "plimsoll/train/csv_logger.h"
#include "plimsoll/train/early_stopping.h"
#include "plimsoll/train/lambda_callback.h"
#include "plimsoll/train/learning_rate_scheduler.h"
#include "plimsoll/train/model_checkpoint.h"
#include "plimsoll/train/reduce_lr_on_plateau.h"
#include "plimsoll/train/terminate_on_nan.h"
