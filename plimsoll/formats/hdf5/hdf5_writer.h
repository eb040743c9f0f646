// Writing of HDF5 files, tensor by tensor, in the form that h5py writes by default. The same calls
// give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

class Hdf5Writer {
 public:
  // A new file in the place of what is there (see AtomicFile for safety), which errors call `name`
  // (empty: by its path). Each function throws IoError, naming the file and the object, if a name
  // is taken, an attribute is too large, or the system fails.
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
  struct Object;

  Object& group_at(const std::string& path);
  void write(const std::string& dataset, const std::string& type, const Shape& shape,
             std::span<const std::byte> elements);
  void set_attribute(const std::string& group, const std::string& name, bool is_list,
                     const std::vector<std::string>& texts);
  [[noreturn]] void refuse(const std::string& object, const std::string& reason) const;

  FileDescriptor file_;
  std::unique_ptr<Object> root_;
  int64_t end_;  // of the elements that are written
};

}  // namespace plimsoll
