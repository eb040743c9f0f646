// SpillFile: where a step puts values that it has no room for, until it needs them again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/graph/op.h"

namespace plimsoll {

// The folder for such files: TMPDIR, else /var/tmp; empty where that is held in memory, for then it
// would save nothing.
std::string spill_folder();

class SpillFile {
 public:
  SpillFile(std::string folder, int64_t bytes) : folder_(std::move(folder)), bytes_(bytes) {}

  // Makes the file, without a name and as large as it will be: a disk that is too full shows before
  // anything runs. IoError names the folder. Once is enough.
  void prepare();
  void store(int64_t offset, std::span<const std::byte> bytes);
  void load(int64_t offset, std::span<std::byte> into);

 private:
  std::string folder_;
  int64_t bytes_;
  std::optional<FileDescriptor> file_;
};

// The instructions and kernels of a transfer.
OpPtr spill_store_op();
OpPtr spill_load_op();
KernelPtr make_spill_store(std::shared_ptr<SpillFile> file, int64_t offset, int64_t bytes);
KernelPtr make_spill_load(std::shared_ptr<SpillFile> file, int64_t offset, int64_t bytes);

}  // namespace plimsoll
