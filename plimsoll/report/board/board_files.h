// BoardFiles: the event files of a run that TensorBoard shows, one folder per curve of the same
// name
// ("train", "validation"). A run that goes on drops what was written after its checkpoint and
// writes new files, so that no step is there twice.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/formats/tensorflow/event_file.h"

namespace plimsoll {

class BoardFiles {
 public:
  // Nothing is made before the first event. Steps are "alike" if those within a folder count the
  // same: TensorBoard that is open while a run goes on then forgets what is replaced.
  enum class Steps { alike, mixed };
  explicit BoardFiles(std::string folder, Steps steps = Steps::alike);
  BoardFiles(const BoardFiles&) = delete;
  BoardFiles& operator=(const BoardFiles&) = delete;

  // Values of summary_value.h into FOLDER/name; an empty name is the folder itself.
  void add(const std::string& name, std::span<const std::string> values, int64_t step);
  void add_graph(const std::string& name, std::string_view graph);
  const std::string& folder() const { return folder_; }

  // What is written so far, which is on the disk when this returns. For a checkpoint; JSON.
  std::string state();
  // The run goes on from there: what was written later is removed. CorruptFile, beginning with
  // `where`, if the text is not what state() gives.
  void go_on(const std::string& state, const std::string& where);
  // Files that are open; the next event begins new ones.
  void close();

 private:
  EventFile& file_of(const std::string& name);
  std::string path_of(const std::string& name) const;
  void drop_later(const std::string& name) const;

  // A file of an earlier process, or of this one.
  struct Written {
    std::string file;
    int64_t size = 0;
  };

  std::string folder_;
  Steps steps_;
  std::string owner_;  // is in the names of all files of the run, and of no others
  std::map<std::string, EventFile> open_;
  std::set<std::string> started_;  // whose file has its first step
  std::map<std::string, std::vector<Written>> closed_;
};

}  // namespace plimsoll
