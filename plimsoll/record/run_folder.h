// RunFolder: the folder of a run. Until the run begins, its files are in a hidden folder, so that a
// run that cannot begin leaves everything as it was. While it exists, no other process writes the
// same run.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

// The files that a run may leave. Nothing else in its folder is ever replaced or removed.
std::span<const std::string_view> files_of_runs();

class FileLock;

class RunFolder {
 public:
  // Makes the hidden folder: beside `path`, or in it where that is a folder already.
  // InvalidArgument where another process writes this run, or where `path` is taken, unless
  // `overwrite` allows replacing the run that is there; what is no run is never overwritten.
  RunFolder(const std::string& path, bool overwrite)
      : RunFolder(path, overwrite ? Taken::replace : Taken::refuse) {}
  // The folder of a run that goes on, in its place. InvalidArgument where another process writes
  // it.
  static RunFolder go_on(const std::string& path) { return RunFolder(path); }
  // The same, but the folder may have other files, which stay: a program keeps them beside its run.
  // A run that is there is replaced.
  static RunFolder among_files(const std::string& path) { return RunFolder(path, Taken::share); }
  // A run that has not begun leaves nothing.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // Where its files are now.
  const std::string& path() const { return path_; }
  std::string path(const std::string& file) const { return path_ + "/" + file; }
  // Its files take their places. Of a run that was there, only what belongs to its models stays,
  // until drop_earlier_models().
  // One that goes on stays as it is.
  void begin();
  // A run that was there has left a model, which has not been dropped or replaced yet.
  bool has_earlier_model() const { return has_earlier_model_; }
  // Of a run that goes on: it had not replaced the model of a run before it when it was killed.
  void expect_earlier_model() { has_earlier_model_ = true; }
  // The new model is safe: what else belongs to the models of the earlier run goes.
  void drop_earlier_models();

 private:
  enum class Taken { refuse, replace, share };
  RunFolder(const std::string& path, Taken taken);
  explicit RunFolder(const std::string& path);
  void lock(const std::string& path, const std::string& folder);
  void take_over();
  void move_into_place();
  void remove_hidden() const;

  std::string place_, path_;
  bool is_shared_ = false;  // with a program's own files
  std::unique_ptr<FileLock> lock_;
  bool has_earlier_model_ = false;
};

}  // namespace plimsoll
