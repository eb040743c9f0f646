// KnownStories: the stories of runs that go on, for pages that are open. Who asks again has only
// what was added to a log since read; what is read and kept is bounded, whatever the files hold.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <utility>

#include "plimsoll/record/run_story.h"

namespace plimsoll {

class KnownStories {
 public:
  struct Limits {
    // Of a longer log its beginning and its end are read: the findings, and what is newest.
    int64_t head_bytes = 1 << 20, tail_bytes = 8 << 20;
    size_t stories = 4;  // that are kept, the last ones that were asked for
  };
  struct Known {
    RunStory story = {};
    bool is_cut = false;  // lines between the beginning and the end of the log were left out
  };

  KnownStories() : KnownStories(Limits()) {}
  explicit KnownStories(Limits limits) : limits_(limits) {}

  // Of RUN/run.json and RUN/log.jsonl. A line that is not an event of a run is left out, and
  // without a log the story says what run.json does. CorruptFile or IoError where that cannot be
  // read. Any thread may call it; one reads at a time.
  Known read(const std::string& run);

 private:
  struct Entry {
    std::pair<dev_t, ino_t> log;
    Known known = {};
    int64_t next = 0;   // the byte after what was read
    int64_t taken = 0;  // bytes of the lines that are in the story
  };

  void read_on(const std::string& run, Entry& entry) const;
  void read_anew(const std::string& run, Entry& entry) const;

  Limits limits_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // the last one that was asked for first
};

}  // namespace plimsoll
