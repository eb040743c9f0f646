// A source that goes on where a record is bad: it reads as zeros, and the record is marked.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <mutex>

#include "plimsoll/data/source.h"

namespace plimsoll {

// Safe for threads.
class RecordMarks {
 public:
  void add(int64_t record, std::exception_ptr error);
  // Those of `count` records from `first` on, which are then forgotten.
  std::map<int64_t, std::exception_ptr> take(int64_t first, int64_t count);

 private:
  std::mutex mutex_;
  std::map<int64_t, std::exception_ptr> errors_;  // of each bad record
};

// Errors that are not about a file are thrown on.
SourcePtr with_marks(SourcePtr source, std::shared_ptr<RecordMarks> marks);

}  // namespace plimsoll
