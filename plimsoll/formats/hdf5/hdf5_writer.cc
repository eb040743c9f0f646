#include "plimsoll/formats/hdf5/hdf5_writer.h"

#include <hdf5.h>

#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

hid_t type_of(DType dtype) {
  switch (dtype) {
    case DType::int32:
      return H5T_STD_I32LE;
    case DType::int64:
      return H5T_STD_I64LE;
    case DType::uint8:
    case DType::boolean:
      return H5T_STD_U8LE;
    default:
      return H5T_IEEE_F32LE;
  }
}

// The first cause, if libhdf5 gives one.
std::string reason() {
  std::string found = "libhdf5 gives no reason";
  const auto keep = [](unsigned, const H5E_error2_t* error, void* into) -> herr_t {
    if (error->desc != nullptr) *static_cast<std::string*>(into) = error->desc;
    return 1;  // the walk begins with the first cause; no more is needed
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep, &found);
  H5Eclear2(H5E_DEFAULT);
  return found;
}

}  // namespace

// A handle of libhdf5 that is given back.
class Hdf5Writer::Id {
 public:
  Id(int64_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Id() { close_(id_); }
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;

  hid_t operator*() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

Hdf5Writer::Hdf5Writer(const std::string& path, const std::string& name)
    : name_(name.empty() ? path : name), output_(path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported by exceptions
  const Id access(checked(H5Pcreate(H5P_FILE_ACCESS), "the file"), H5Pclose);
  // Every reader knows the oldest format.
  checked(H5Pset_libver_bounds(*access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST), "the file");
  // An error may leave handles open: the file is closed with them.
  checked(H5Pset_fclose_degree(*access, H5F_CLOSE_STRONG), "the file");
  checked(output_.use_for(*access) ? 0 : -1, "the file");
  file_ = checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, *access), "the file");
}

Hdf5Writer::~Hdf5Writer() {
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Writer::make_group(const std::string& group) {
  for (size_t end = 0; end < group.size();) {
    end = std::min(group.find('/', end + 1), group.size());
    const std::string name = group.substr(0, end);
    if (checked(H5Lexists(file_, name.c_str(), H5P_DEFAULT), name) > 0) continue;
    const Id made(
        checked(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name),
        H5Gclose);
  }
}

void Hdf5Writer::write(const std::string& dataset, const Spec& spec,
                       std::span<const std::byte> elements) {
  write(dataset, type_of(spec.dtype), spec.shape, elements);
}

void Hdf5Writer::write(const std::string& dataset, std::span<const uint32_t> elements) {
  write(dataset, H5T_STD_U32LE, {static_cast<int64_t>(elements.size())}, std::as_bytes(elements));
}

void Hdf5Writer::write(const std::string& dataset, int64_t type, const Shape& shape,
                       std::span<const std::byte> elements) {
  if (const size_t slash = dataset.rfind('/'); slash != dataset.npos)
    make_group(dataset.substr(0, slash));
  const std::vector<hsize_t> dims(shape.begin(), shape.end());
  const Id space(checked(shape.rank() == 0 ? H5Screate(H5S_SCALAR)
                                           : H5Screate_simple(shape.rank(), dims.data(), nullptr),
                         dataset),
                 H5Sclose);
  const Id options(checked(H5Pcreate(H5P_DATASET_CREATE), dataset), H5Pclose);
  // With a time in it, the file would be different each time.
  checked(H5Pset_obj_track_times(*options, false), dataset);
  const Id made(
      checked(H5Dcreate2(file_, dataset.c_str(), type, *space, H5P_DEFAULT, *options, H5P_DEFAULT),
              dataset),
      H5Dclose);
  if (!elements.empty())
    checked(H5Dwrite(*made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()), dataset);
}

void Hdf5Writer::set_attribute(const std::string& group, const std::string& name,
                               const std::string& text) {
  const char* element = text.c_str();
  const Id type(checked(H5Tcopy(H5T_C_S1), name), H5Tclose);
  checked(H5Tset_size(*type, H5T_VARIABLE), name);
  checked(H5Tset_cset(*type, H5T_CSET_UTF8), name);
  write_attribute(group, name, type, Id(checked(H5Screate(H5S_SCALAR), name), H5Sclose), &element);
}

void Hdf5Writer::set_attribute(const std::string& group, const std::string& name,
                               const std::vector<std::string>& texts) {
  std::vector<const char*> elements;
  for (const std::string& text : texts) elements.push_back(text.c_str());
  const hsize_t count = texts.size();
  const Id space(checked(H5Screate_simple(1, &count, nullptr), name), H5Sclose);
  // NumPy knows no type for an empty list and takes this one.
  const Id type(checked(H5Tcopy(texts.empty() ? H5T_IEEE_F64LE : H5T_C_S1), name), H5Tclose);
  if (!texts.empty()) {
    checked(H5Tset_size(*type, H5T_VARIABLE), name);
    checked(H5Tset_cset(*type, H5T_CSET_UTF8), name);
  }
  write_attribute(group, name, type, space, elements.data());
}

void Hdf5Writer::write_attribute(const std::string& group, const std::string& name, const Id& type,
                                 const Id& space, const void* elements) {
  make_group(group);
  const std::string object = group.empty() ? "/" : group;
  const Id made(checked(H5Acreate_by_name(file_, object.c_str(), name.c_str(), *type, *space,
                                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                        object + ", attribute " + name),
                H5Aclose);
  if (elements != nullptr)
    checked(H5Awrite(*made, *type, elements), object + ", attribute " + name);
}

void Hdf5Writer::finish() {
  checked(H5Fclose(std::exchange(file_, -1)), "the file");
}

int64_t Hdf5Writer::checked(int64_t result, const std::string& object) const {
  if (!output_.failure().empty())
    throw IoError(name_ + ": cannot be written: " + output_.failure());
  if (result < 0) throw IoError(name_ + ": " + object + " cannot be written: " + reason());
  return result;
}

}  // namespace plimsoll
