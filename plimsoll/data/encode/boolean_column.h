// A column of two words for yes and no: 1 and 0.
#pragma once

#include "plimsoll/data/encode/column_encoding.h"
#include "plimsoll/data/encode/column_settings.h"

namespace plimsoll {

struct BooleanColumnOptions {
  // As the column writes them; empty: as the training records do.
  std::string yes = {}, no = {};
  Gaps gaps = Gaps::fill;     // 0.5
  bool chooses_gaps = false;  // gaps are indicated if the training records have some
};
ColumnEncodingPtr boolean_column(const BooleanColumnOptions& options);

// From settings; what they leave open is learnt, unless all of it is required.
ColumnEncodingPtr boolean_column(ColumnSettings& settings, bool is_required);

}  // namespace plimsoll
