// FirstLeftOut: says the first bad record that a run leaves out. The others are not said one by
// one: there may be many.
#pragma once

#include <string>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/loader/bad_records.h"

namespace plimsoll {

// `list` says where all of them are.
Finding first_left_out(const BadRecord& record, const std::string& list);

class FirstLeftOut {
 public:
  // The folder of the run; empty: it has none.
  explicit FirstLeftOut(const std::string& run) : run_(run) {}
  void hear_of(const BadRecord& record);

 private:
  std::string run_;
  bool is_said_ = false;
};

}  // namespace plimsoll
