// A column of categories: one number for each, 1 for the one that the cell has, else 0.
#pragma once

#include "plimsoll/data/encode/column_encoding.h"
#include "plimsoll/data/encode/column_settings.h"

namespace plimsoll {

struct CategoryColumnOptions {
  // None: those of the training records, sorted.
  std::vector<std::string> categories = {};
  // Of more than this the most frequent are kept.
  size_t most = 100;
  // One more number, for all other texts. Without it, they are unseen, and all numbers are 0.
  bool has_other = false;
  Gaps gaps = Gaps::fill;     // all numbers are 0
  bool chooses_gaps = false;  // gaps are indicated if the training records have some
  // A column of nearly as many texts as records, as of names, is left out.
  bool leaves_out_names = false;
};
ColumnEncodingPtr category_column(const CategoryColumnOptions& options);

// From settings; what they leave open is learnt, unless all of it is required.
ColumnEncodingPtr category_column(ColumnSettings& settings, bool is_required);

}  // namespace plimsoll
