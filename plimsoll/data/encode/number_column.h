// A column of numbers: each is less the mean of the training records, divided by their deviation,
// or as it is.
#pragma once

#include "plimsoll/data/encode/column_encoding.h"
#include "plimsoll/data/encode/column_settings.h"
#include "plimsoll/data/encode/column_survey.h"

namespace plimsoll {

struct NumberColumnOptions {
  NumberFormat format = {};
  bool is_standard = true;  // false: numbers stay as they are
  Gaps gaps = Gaps::fill;
  // Of the training records; the median fills gaps. None of the numbers: they are learnt.
  bool is_learnt = false;
  double mean = 0, deviation = 1, median = 0;
  bool chooses_gaps = false;  // gaps are indicated if the training records have some
};
ColumnEncodingPtr number_column(const NumberColumnOptions& options);

// From settings; what they leave open is as the survey says. Without one they must have all.
ColumnEncodingPtr number_column(ColumnSettings& settings, const ColumnSurvey* survey,
                                bool prefers_decimal_comma);

}  // namespace plimsoll
