// BadRecords: the records of a run that cannot be used, and what is done about them.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>

#include "plimsoll/formats/checkpoint/state.h"

namespace plimsoll {

enum class OnBadRecord { fail, skip };

struct BadRecord {
  std::string name;
  std::string reason;  // the word of its Flaw: "truncated"
  std::string detail;
  int64_t epoch = 0;  // in which it was found
};

struct BadRecordOptions {
  OnBadRecord then = OnBadRecord::fail;
  double most = 0.01;  // of all records may be left out; more end the run
};

class BadRecords {
 public:
  // InvalidArgument unless `most` is 0 to 1.
  BadRecords(int64_t records, const BadRecordOptions& options);

  // `report` is called once for each record that is left out.
  void report_to(std::function<void(const BadRecord&)> report) { report_ = std::move(report); }
  bool may_skip() const { return options_.then == OnBadRecord::skip; }
  int64_t count() const { return static_cast<int64_t>(names_.size()); }
  // How many more there may be.
  int64_t room() const { return most_ - count(); }
  bool is_known(const std::string& name) const { return names_.contains(name); }

  // So many records were read of data whose size is not known before; those that may be left out
  // are a share of them, or of the number of records that it was made with if that is larger.
  void has_seen(int64_t records);

  // Of a record that could not be read. Throws the error, with what else could be done, where bad
  // records are not left out, and CorruptFile if they have become too many.
  void add(const std::string& name, int64_t epoch, const std::exception_ptr& error);

  // Leaves out a record that can be read, before the next epoch begins. It is not reported.
  void leave_out(const std::string& name) { names_.insert(name); }

  // Those that were left out so far; they are not reported again.
  void save_state(StateWriter& to) const;
  void load_state(const StateReader& from);

 private:
  BadRecordOptions options_;
  int64_t records_, most_;
  std::function<void(const BadRecord&)> report_;
  std::unordered_set<std::string> names_;
};

}  // namespace plimsoll
