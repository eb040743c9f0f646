// CheckpointFolder: the checkpoints of a run. A checkpoint has its name only when it is whole and
// on the disk, and an older one is removed only after its successor was read back.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/formats/checkpoint/checkpoint_file.h"

namespace plimsoll {

class CheckpointFolder {
 public:
  // The folder is made by the first write.
  explicit CheckpointFolder(std::string path, FileSystem& files = real_file_system());

  // Writes checkpoint `number`, which is larger than those before it (one that has this number
  // already is replaced), as `fill` says, verifies it, and then removes all but the last `keep` up
  // to this one and those in `kept`. One of a larger number, which was not whole when the run went
  // on from an older one, is left alone. What an earlier write left unfinished is replaced. Where
  // anything fails, throws IoError (CorruptFile if it reads back wrong), and what was there is
  // as it was.
  void write(int64_t number, int keep, const std::function<void(CheckpointWriter&)>& fill,
             const std::vector<int64_t>& kept = {});
  // Removes those of larger numbers, the newest first: `number` is the newest from then on.
  void remove_newer(int64_t number) const;
  // Removes those of smaller numbers.
  void remove_older(int64_t number) const;

  // The newest one that is whole, or none. Each newer one that is not adds a finding (a warning
  // that names the file and says why it is not used). Where there are checkpoints and none of them
  // is whole, that is a finding too.
  std::optional<CheckpointFile> newest(std::vector<Finding>& findings) const;
  // Their numbers, the newest last; whether they are whole is not looked at.
  std::vector<int64_t> numbers() const;
  std::string path_of(int64_t number) const;  // "RUN/checkpoints/000000000123.checkpoint"
  const std::string& path() const { return path_; }

 private:
  void write_verified(const std::string& path,
                      const std::function<void(CheckpointWriter&)>& fill) const;
  void remove_all_but_last(int64_t number, int keep, const std::vector<int64_t>& kept) const;

  std::string path_;
  FileSystem& files_;
};

}  // namespace plimsoll
