// Writing of HDF5 files by libhdf5, tensor by tensor, as h5py writes them by default. The same
// calls give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/formats/hdf5/hdf5_output.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

class Hdf5Writer {
 public:
  // A new file in the place of what is there (see AtomicFile for safety), which errors call `name`
  // (empty: by its path). Each function throws IoError, naming the file and the object, where
  // libhdf5 or the system fails.
  explicit Hdf5Writer(const std::string& path, const std::string& name = {});
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  // By a path from the root such as "layers/dense/vars"; makes the groups above that are missing.
  void make_group(const std::string& group);
  void write(const std::string& dataset, const Spec& spec, std::span<const std::byte> elements);
  void write(const std::string& dataset, std::span<const uint32_t> elements);
  // An attribute of a group ("" for the root): one text, or a list.
  void set_attribute(const std::string& group, const std::string& name, const std::string& text);
  void set_attribute(const std::string& group, const std::string& name,
                     const std::vector<std::string>& texts);
  // Without this, the file is not whole.
  void finish();

 private:
  class Id;

  void write(const std::string& dataset, int64_t type, const Shape& shape,
             std::span<const std::byte> elements);
  void write_attribute(const std::string& group, const std::string& name, const Id& type,
                       const Id& space, const void* elements);
  // Throws where `result` says that a call about `object` failed.
  int64_t checked(int64_t result, const std::string& object) const;

  std::string name_;
  Hdf5Output output_;
  int64_t file_ = -1;  // libhdf5's handle
};

}  // namespace plimsoll
