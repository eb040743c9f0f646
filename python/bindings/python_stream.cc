#include "python/bindings/python_stream.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "python/bindings/arrays.h"

namespace plimsoll::python {
namespace {

class PythonStream final : public BatchStream {
 public:
  explicit PythonStream(ReferencePtr object) : object_(std::move(object)) {}
  ~PythonStream() override { release(); }

  int64_t next() override {
    const nb::gil_scoped_acquire gil;
    release();
    const nb::object batch = object_->get().attr("next")();
    if (batch.is_none()) return 0;
    fields_.clear();
    for (const nb::handle array : batch) take(array);
    return records_;
  }
  const Specs& fields() const override { return fields_; }
  const std::byte* field(size_t i) const override { return data_[i]; }
  void release() override {
    kept_.clear();
    texts_.clear();
    data_.clear();
    records_ = -1;
  }

 private:
  void take(nb::handle array) {
    Spec spec{dtype_of_array(array), to_shape(array.attr("shape"))};
    if (spec.shape.rank() < 1)
      throw InvalidArgument("a batch has a field without an axis of records");
    if (records_ >= 0 && records_ != spec.shape[0])
      throw InvalidArgument(
          fmt::format("the fields of a batch have {} and {} records", records_, spec.shape[0]));
    records_ = spec.shape[0];
    if (spec.dtype == DType::string) {
      const Tensor texts = to_tensor(array);
      data_.push_back(texts.data());
      spec = texts.spec();
      texts_.push_back(texts);
    } else {
      data_.push_back(reinterpret_cast<const std::byte*>(
          nb::cast<uintptr_t>(array.attr("__array_interface__")["data"][0])));
      kept_.push_back(std::make_unique<const Reference>(array));
    }
    fields_.push_back({spec.dtype, spec.shape.without(0)});
  }

  ReferencePtr object_;
  Specs fields_;
  int64_t records_ = -1;
  std::vector<const std::byte*> data_;
  std::vector<std::unique_ptr<const Reference>> kept_;
  Tensors texts_;
};

}  // namespace

SourcePtr python_stream(nb::handle object, std::optional<int64_t> batches) {
  const auto kept = std::make_shared<const Reference>(object);
  const auto passes = std::make_shared<int64_t>(0);
  const OpenStream open = [kept, passes] {
    const nb::gil_scoped_acquire gil;
    kept->get().attr("begin_pass")((*passes)++);
    return std::make_unique<PythonStream>(kept);
  };
  return from_stream(open, {.batches = batches});
}

}  // namespace plimsoll::python
