// The records that a command has left out, and what it says of them.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll::cli {

class LeftOut final : public Callback {
 public:
  void on_bad_record(TrainingState&, const BadRecord& record) override;

  int64_t count() const { return static_cast<int64_t>(names_.size()); }
  bool has(const std::string& name) const { return names_.contains(name); }
  // "a.csv: 3 record(s) are left out: a.csv:7 (missing), …"; nothing if there are none.
  void say(const std::string& path, const std::string& what, Findings& findings) const;

 private:
  std::unordered_set<std::string> names_;
  std::vector<std::string> first_;  // a few of them, with their reasons
};

}  // namespace plimsoll::cli
