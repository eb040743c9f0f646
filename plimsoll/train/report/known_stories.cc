#include "plimsoll/train/report/known_stories.h"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/report/run_files.h"

namespace plimsoll {
namespace {

void add_line(std::string_view line, RunStory& into) {
  try {
    add_event(parse_event(line), "log.jsonl", into);
  } catch (const Error&) {
    // A log that is written, or that anybody may have written.
  }
}

// What run.json says may change while the log is read on.
RunStory with_events_of(RunStory story, const RunStory& events) {
  story.epochs = events.epochs;
  story.statistics = events.statistics;
  story.not_finite = events.not_finite;
  story.findings = events.findings;
  story.told = events.told;
  story.growing = events.growing;
  story.started = events.started;
  story.ended = events.ended;
  return story;
}

}  // namespace

void KnownStories::read_on(const std::string& run, Entry& entry) const {
  const LogPart part =
      read_log_lines(run, entry.next, limits_.tail_bytes, [&](std::string_view line) {
        entry.taken += std::ssize(line);
        add_line(line, entry.known.story);
        return true;
      });
  entry.known.is_cut |= part.is_cut;
  entry.next = part.next;
  // It went on from a checkpoint, or more is kept than one reading has.
  if (part.has_shrunk || entry.taken > 2 * (limits_.head_bytes + limits_.tail_bytes))
    read_anew(run, entry);
}

void KnownStories::read_anew(const std::string& run, Entry& entry) const {
  entry = {.log = entry.log};
  const auto take = [&](std::string_view line) {
    entry.taken += std::ssize(line);
    add_line(line, entry.known.story);
  };
  const LogPart head = read_log_lines(run, 0, INT64_MAX, [&](std::string_view line) {
    if (entry.taken + std::ssize(line) > limits_.head_bytes) return false;
    take(line);
    return true;
  });
  const LogPart tail = read_log_lines(run, head.next, limits_.tail_bytes, [&](auto line) {
    take(line);
    return true;
  });
  entry.known.is_cut = tail.is_cut;
  entry.next = tail.next;
}

KnownStories::Known KnownStories::read(const std::string& run) {
  const RunStory now = story_of_run(read_run_file(run), run + "/run.json");
  struct stat file {};
  if (lstat((run + "/log.jsonl").c_str(), &file) != 0) return {.story = now};
  const std::pair log(file.st_dev, file.st_ino);
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, log, &Entry::log);
  if (found == entries_.end())
    entries_.push_front({.log = log});
  else
    entries_.splice(entries_.begin(), entries_, found);
  Entry& entry = entries_.front();
  try {
    if (entry.next == 0)
      read_anew(run, entry);
    else
      read_on(run, entry);
  } catch (const Error&) {
    entries_.pop_front();
    return {.story = now};
  }
  if (entries_.size() > limits_.stories) entries_.pop_back();
  return {.story = with_events_of(now, entry.known.story), .is_cut = entry.known.is_cut};
}

}  // namespace plimsoll
