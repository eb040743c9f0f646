// A column of dates and times: how many days have passed, and where in the year, the week and the
// day the moment is.
#pragma once

#include "plimsoll/data/encode/column_encoding.h"
#include "plimsoll/data/encode/column_settings.h"
#include "plimsoll/data/encode/column_survey.h"

namespace plimsoll {

// What is kept of a date. `days` is one number, the days since 1970, less the mean of the training
// records and divided by their deviation; each of the others is a sine and a cosine, so that
// December is near January and Sunday is near Monday.
enum class DatePart { days, month, day, weekday, time };

struct DateColumnOptions {
  DateFormat format = {};
  // None: days, month, weekday, and the time if there are times.
  std::vector<DatePart> parts = {};
  Gaps gaps = Gaps::fill;  // all numbers are 0
  bool is_learnt = false;
  double mean = 0, deviation = 1;  // of the days, with the time as a part of a day
  bool chooses_gaps = false;       // gaps are indicated if the training records have some
};
ColumnEncodingPtr date_column(DateColumnOptions options);

// From settings; what they leave open is as the survey says. Without one they must have all.
ColumnEncodingPtr date_column(ColumnSettings& settings, const ColumnSurvey* survey);

}  // namespace plimsoll
