// Sources of records, and the stages that do without Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>

#include "plimsoll/data/stages/cached.h"
#include "plimsoll/data/stages/pipeline.h"
#include "plimsoll/formats/tensorflow/crc32c.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/data/tensor_batches.h"
#include "python/bindings/array_source.h"
#include "python/bindings/image_files.h"
#include "python/bindings/python_stream.h"
#include "python/bindings/run_options.h"

namespace plimsoll::python {
namespace {

// Records; the class that Python sees.
struct Records {
  SourcePtr source;
};

nb::list specs_of(const Source& source) {
  nb::list list;
  for (const Spec& spec : source.fields())
    list.append(nb::make_tuple(dtype_name(spec.dtype), shape_of(spec)));
  return list;
}

Records next(SourcePtr source) {
  return {std::move(source)};
}

// Batches of tensors, one after the other.
struct Batches {
  TensorBatches batches;
  int64_t at = 0;
};

nb::list next_batch(Batches& batches) {
  if (batches.at >= batches.batches.size()) throw nb::stop_iteration();
  nb::list fields;
  for (const Tensor& field : batches.batches.at(batches.at)) fields.append(field);
  ++batches.at;
  return fields;
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<Records>(module, "Source")
      .def("__len__", [](const Records& r) { return r.source->size(); })
      .def_prop_ro("specs", [](const Records& r) { return specs_of(*r.source); })
      .def_prop_ro("class_names",
                   [](const Records& r) {
                     const auto names = r.source->class_names();
                     return std::vector<std::string>(names.begin(), names.end());
                   })
      .def("record_name", [](const Records& r, int64_t i) { return r.source->name(i); })
      .def(
          "shuffle",
          [](const Records& r, int64_t seed, bool reshuffle) {
            return next(shuffled(r.source, {.seed = seed, .reshuffle_each_epoch = reshuffle}));
          },
          nb::arg("seed") = 0, nb::arg("reshuffle_each_epoch") = true)
      .def("take", [](const Records& r, int64_t n) { return next(take(r.source, n)); })
      .def("skip", [](const Records& r, int64_t n) { return next(skip(r.source, n)); })
      .def("shard",
           [](const Records& r, int64_t n, int64_t i) { return next(shard(r.source, n, i)); })
      .def("repeat", [](const Records& r, int64_t n) { return next(repeat(r.source, n)); })
      .def("concatenate",
           [](const Records& a, const Records& b) {
             return next(concatenate({a.source, b.source}));
           })
      .def("zip",
           [](const Records& a, const Records& b) {
             return next(zipped({a.source, b.source}));
           })
      .def("subset", [](const Records& r, int64_t begin,
                        int64_t end) { return next(subset(r.source, begin, end)); })
      .def(
          "cache",
          [](const Records& r, const std::string& folder) {
            return next(Pipeline(r.source).cache(folder).source());
          },
          nb::arg("folder") = "")
      .def(
          "batches",
          [](const Records& r, int64_t batch_size, bool drop_remainder, int64_t epoch) {
            return Batches{tensor_batches(
                Dataset(r.source),
                {.batch_size = batch_size, .epoch = epoch, .drop_remainder = drop_remainder})};
          },
          nb::arg("batch_size"), nb::arg("drop_remainder") = false, nb::arg("epoch") = 0,
          NeedsThreads());
  nb::class_<Batches>(module, "Batches")
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__len__", [](const Batches& b) { return b.batches.size(); })
      .def("__next__", next_batch, NeedsThreads());
  module.def(
      "from_arrays", [](nb::handle arrays) { return next(array_source(arrays)); }, NeedsThreads());
  module.def(
      "image_files",
      [](std::vector<std::string> paths, nb::handle labels, std::vector<std::string> class_names,
         std::string mode, std::array<int64_t, 2> size, std::string interpolation,
         std::string aspect) {
        return next(image_files({.paths = std::move(paths),
                                 .labels = labels.is_none() ? nullptr : array_source(labels),
                                 .class_names = std::move(class_names),
                                 .color_mode = std::move(mode),
                                 .size = size,
                                 .interpolation = std::move(interpolation),
                                 .aspect = std::move(aspect)}));
      },
      nb::arg("paths"), nb::arg("labels").none(), nb::arg("class_names"), nb::arg("color_mode"),
      nb::arg("size"), nb::arg("interpolation"), nb::arg("aspect"));
  module.def(
      "stream",
      [](nb::handle object, std::optional<int64_t> batches) {
        return next(python_stream(object, batches));
      },
      nb::arg("object"), nb::arg("batches").none(), NeedsThreads());
  module.def(
      "balanced_class_weight", [](const Dataset& d) { return balanced_weights(d, 0); },
      NeedsThreads());
  // The checksum of TFRecord and event files.
  module.def("masked_crc", [](nb::bytes bytes) {
    return masked_crc(crc32c({static_cast<const std::byte*>(bytes.data()), bytes.size()}));
  });
  nb::class_<Dataset>(module, "Dataset")
      .def(
          "__init__",
          [](Dataset* self, const Records& records, std::vector<std::string> names, int targets,
             int sample_weights, std::optional<int64_t> batch_size) {
            new (self) Dataset(records.source);
            self->names = std::move(names);
            self->targets = targets;
            self->sample_weights = sample_weights;
            self->batch_size = batch_size;
          },
          nb::arg("source"), nb::arg("names") = std::vector<std::string>(), nb::arg("targets") = -1,
          nb::arg("sample_weights") = 0, nb::arg("batch_size") = nb::none())
      .def_prop_ro("records", [](const Dataset& d) { return d.source->size(); })
      .def_prop_ro("specs", [](const Dataset& d) { return specs_of(*d.source); });
}

}  // namespace plimsoll::python
