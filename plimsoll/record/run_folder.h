// RunFolder: the folder of a run. Until the run begins, the folder has another name beside its
// place, so that a run that cannot begin leaves everything as it was.
#pragma once

#include <string>

namespace plimsoll {

class RunFolder {
 public:
  // Makes the folder under its first name. InvalidArgument where `path` is taken, unless
  // `overwrite` allows replacing the run that is there; what is no run is never overwritten.
  RunFolder(const std::string& path, bool overwrite);
  // A run that has not begun leaves nothing.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // Where it is now.
  const std::string& path() const { return path_; }
  std::string path(const std::string& file) const { return path_ + "/" + file; }
  // Takes its place. A run that was there goes as a whole: it is moved aside first, then removed.
  void begin();

 private:
  std::string place_, path_;
};

}  // namespace plimsoll
