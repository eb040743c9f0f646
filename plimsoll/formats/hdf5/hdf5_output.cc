#include "plimsoll/formats/hdf5/hdf5_output.h"

#include <hdf5.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// What libhdf5 calls a file; it knows the first member alone.
struct DriverFile {
  H5FD_t common = {};
  Hdf5Output* output = nullptr;
  haddr_t end_of_allocation = 0;
};

DriverFile& of(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file);
}

const DriverFile& of(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file);
}

// The properties hold a pointer to the output.
H5FD_t* open_output(const char*, unsigned flags, hid_t access, haddr_t) {
  const void* info = H5Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  auto* file = new (std::nothrow) DriverFile;
  if (file == nullptr) return nullptr;
  std::memcpy(&file->output, info, sizeof file->output);
  if ((flags & H5F_ACC_TRUNC) != 0) file->output->resize(0);
  return &file->common;
}

herr_t close_output(H5FD_t* file) {
  delete &of(file);
  return 0;
}

int compare_outputs(const H5FD_t* one, const H5FD_t* other) {
  const auto a = reinterpret_cast<uintptr_t>(of(one).output);
  const auto b = reinterpret_cast<uintptr_t>(of(other).output);
  return a < b ? -1 : a > b ? 1 : 0;
}

// Those of libhdf5's own driver for files, so that files are the same.
herr_t query_features(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
  return of(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  of(file).end_of_allocation = end;
  return 0;
}

haddr_t get_end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return static_cast<haddr_t>(of(file).output->size());
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, size_t count, void* into) {
  of(file).output->read(static_cast<int64_t>(offset), into, count);
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, size_t count,
                   const void* bytes) {
  of(file).output->write(static_cast<int64_t>(offset), bytes, count);
  return 0;
}

herr_t truncate_output(H5FD_t* file, hid_t, hbool_t) {
  of(file).output->resize(static_cast<int64_t>(of(file).end_of_allocation));
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver = {};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(513);  // any that libhdf5 leaves to others
#endif
  driver.name = "plimsoll";
  driver.maxaddr = haddr_t{1} << 62;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(Hdf5Output*);
  driver.open = open_output;
  driver.close = close_output;
  driver.cmp = compare_outputs;
  driver.query = query_features;
  driver.get_eoa = get_end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = get_end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = truncate_output;
  constexpr H5FD_mem_t kLists[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(kLists, driver.fl_map);
  return driver;
}

}  // namespace

Hdf5Output::Hdf5Output(const std::string& path) : file_(path, O_RDWR | O_CREAT) {}

bool Hdf5Output::use_for(int64_t access_properties) {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  const Hdf5Output* self = this;
  return id >= 0 && H5Pset_driver(access_properties, id, &self) >= 0;
}

void Hdf5Output::note(const char* what) {
  if (failure_.empty()) failure_ = what;
}

// After the first failure the file is lost, and nothing more is written.
void Hdf5Output::write(int64_t offset, const void* bytes, size_t count) {
  size_ = std::max(size_, offset + static_cast<int64_t>(count));
  if (!failure_.empty()) return;
  try {
    file_.write_at(offset, {static_cast<const std::byte*>(bytes), count});
  } catch (const IoError&) {
    note(std::strerror(errno));
  }
}

// There are zeros after the end.
void Hdf5Output::read(int64_t offset, void* into, size_t count) {
  std::memset(into, 0, count);
  try {
    const int64_t there =
        std::clamp<int64_t>(file_.size() - offset, 0, static_cast<int64_t>(count));
    file_.read_at(offset, {static_cast<std::byte*>(into), static_cast<size_t>(there)});
  } catch (const IoError&) {
    note(std::strerror(errno));
  }
}

void Hdf5Output::resize(int64_t bytes) {
  if (bytes == size_ && bytes > 0) return;
  size_ = bytes;
  if (failure_.empty() && ftruncate(file_.number(), bytes) != 0) note(std::strerror(errno));
}

}  // namespace plimsoll
