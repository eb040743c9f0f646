#include "plimsoll/train/data/open_data.h"

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/csv_source.h"
#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/data/sources/npz_source.h"
#include "plimsoll/data/stages/one_hot_labels.h"
#include "plimsoll/formats/tables/csv_reader.h"
#include "plimsoll/train/data/model_fit.h"
#include "plimsoll/train/data/open_shards.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

class DataOpener {
 public:
  DataOpener(const std::string& path, const Model& model, const DataOptions& options)
      : path_(path),
        options_(options),
        fit_(path, model, options),
        inputs_(fit_.inputs()),
        outputs_(fit_.outputs()) {}

  OpenedData open() const {
    const DataFiles files = find_data(path_);
    OpenedData opened{files.kind, open_files(files)};
    fit_.check_inputs(*opened.data.source);
    return opened;
  }

 private:
  Dataset open_files(const DataFiles& files) const {
    switch (files.kind) {
      case DataKind::npz:
        return npz();
      case DataKind::npy:
        return npy();
      case DataKind::csv:
        return csv();
      case DataKind::tfrecord:
        return open_tfrecords(files.paths, fit_);
      case DataKind::tar:
        return open_tars(files.paths, fit_);
      case DataKind::idx:
        return open_idx(files.paths, fit_);
      default:
        return images();
    }
  }

  NpzOptions npz_options() const {
    return {.folder = options_.folder, .announce = options_.announce};
  }

  // --- NumPy's files

  Dataset npz() const {
    const NpzFile file(path_, npz_options());
    const Names found = file.names();
    const Names inputs = arrays_for(inputs_, "x", "input", found);
    Names targets = options_.targets ? arrays_for(outputs_, "y", "output", found) : Names{};
    const auto target_count = static_cast<int>(targets.size());
    const bool has_weight = options_.targets && contains(found, "sample_weight");
    if (has_weight) targets.push_back("sample_weight");
    Dataset data(npz_source(path_, inputs, targets, npz_options()));
    data.targets = target_count;
    data.sample_weights = has_weight ? 1 : 0;
    return data;
  }

  // The array of each port.
  Names arrays_for(const Ports& ports, const std::string& only, const char* what,
                   const Names& found) const {
    Names arrays;
    for (const Port& port : ports) {
      if (contains(found, port.name))
        arrays.push_back(port.name);
      else if (ports.size() == 1 && contains(found, only))
        arrays.push_back(only);
      else
        throw InvalidArgument(path_ + ": expected an array '" +
                              (ports.size() == 1 ? only + "' or '" : "") + port.name +
                              "' for the " + what + " of the model, found " + listed(found));
    }
    return arrays;
  }

  Dataset npy() const {
    if (options_.targets)
      throw InvalidArgument(path_ + ": is one array without targets; save a .npz with x and y");
    if (inputs_.size() != 1)
      throw InvalidArgument(path_ + ": is one array, the model has the inputs " +
                            listed(names_of(inputs_)) + "; save a .npz with one for each");
    return Dataset(npy_source(path_, npz_options()));
  }

  // --- CSV

  Dataset csv() const {
    CsvSourceOptions options{.ignored = options_.ignored,
                             .class_names = options_.class_names,
                             .missing = options_.missing,
                             .announce = options_.announce};
    set_csv_targets(options);
    set_csv_inputs(options);
    SourcePtr source = csv_source(path_, options);
    const bool wants_vectors = options_.targets && outputs_.size() == 1 &&
                               !source->class_names().empty() &&
                               fit_.loss_of_only_output() == "categorical_crossentropy";
    if (wants_vectors)
      source = one_hot_labels(source, static_cast<int>(inputs_.size()),
                              static_cast<int64_t>(source->class_names().size()));
    return Dataset(source);
  }

  void set_csv_targets(CsvSourceOptions& options) const {
    if (!options_.targets) {
      options.ignored.insert(options.ignored.end(), options_.target.begin(), options_.target.end());
      return;
    }
    if (options_.target.empty())
      throw InvalidArgument(path_ + ": name the column that is to be learnt with --target");
    if (outputs_.size() == 1) {
      options.targets = {options_.target};
      return;
    }
    if (options_.target.size() != outputs_.size())
      throw InvalidArgument(path_ + ": name one column for each of the outputs " +
                            listed(names_of(outputs_)) + " with --target, found " +
                            listed(options_.target));
    for (const std::string& column : options_.target) options.targets.push_back({column});
  }

  // The header decides: a column by the name of each input, or all others for the only input.
  void set_csv_inputs(CsvSourceOptions& options) const {
    CsvReader reader(file_source(path_));
    Names columns, rest;
    reader.next();
    for (int64_t i = 0; i < reader.fields(); ++i) columns.emplace_back(reader.field(i));
    for (const Names* named : {&options_.target, &options_.ignored})
      for (const std::string& name : *named)
        if (!contains(columns, name))
          throw InvalidArgument(path_ + ": has no column '" + name + "' (the columns are " +
                                listed(columns) + ")");
    if (std::ranges::all_of(inputs_, [&](const Port& p) { return contains(columns, p.name); })) {
      for (const Port& port : inputs_) options.inputs.push_back({port.name});
      return;
    }
    if (inputs_.size() > 1)
      throw InvalidArgument(path_ + ": expected a column for each of the inputs " +
                            listed(names_of(inputs_)) + ", found " + listed(columns));
    for (const std::string& column : columns)
      if (!column.empty() && !contains(options_.target, column) &&
          !contains(options.ignored, column))
        rest.push_back(column);
    const Shape& shape = inputs_[0].spec.shape;
    const auto count = static_cast<int64_t>(rest.size());
    if (shape.rank() == 2 && shape[1] != kUnknown && shape[1] != count)
      throw InvalidArgument(path_ + ": the model's input '" + inputs_[0].name + "' takes " +
                            std::to_string(shape[1]) + " numbers, the file has " +
                            std::to_string(count) + " columns for it: " + listed(rest) +
                            " (leave some out with --ignore)");
  }

  // --- images

  Dataset images() const {
    const Shape& shape = inputs_[0].spec.shape;
    if (inputs_.size() != 1 || shape.rank() != 4)
      throw InvalidArgument(path_ +
                            ": a folder of images needs a model with one input of shape "
                            "(height, width, channels), found " +
                            display(shape));
    ImageFolderOptions options{.color_mode = fit_.color_mode_for(inputs_[0]),
                               .label_mode = LabelMode::none,
                               .class_names = options_.class_names,
                               .interpolation = options_.interpolation,
                               .crop_to_aspect_ratio = options_.crop_to_aspect_ratio,
                               .pad_to_aspect_ratio = options_.pad_to_aspect_ratio,
                               .fast_decode = options_.fast_decode};
    options.image_size = fit_.image_size_for(inputs_[0]);
    if (options_.targets) options.label_mode = label_mode_for_loss();
    const Dataset data(image_folder(path_, options));
    if (options_.targets) check_classes(*data.source);
    return data;
  }

  LabelMode label_mode_for_loss() const {
    if (outputs_.size() != 1)
      throw InvalidArgument(path_ + ": class folders are the labels of one output, the model has " +
                            listed(names_of(outputs_)));
    const std::string loss = fit_.loss_of_only_output();
    if (loss.starts_with("sparse_")) return LabelMode::integer;
    return outputs_[0].spec.shape.back() == 1 ? LabelMode::binary : LabelMode::categorical;
  }

  // As many classes as the output has numbers; a single number tells two. Labels that are numbers
  // may leave the last classes empty.
  void check_classes(const Source& source) const {
    const auto found = static_cast<int64_t>(source.class_names().size());
    const int64_t expected = outputs_[0].spec.shape.back();
    if (expected == kUnknown || expected == 1 || expected == found) return;
    const Names names(source.class_names().begin(), source.class_names().end());
    const std::string what = "the model's output '" + outputs_[0].name + "' has " +
                             std::to_string(expected) + " classes, the folder has " +
                             std::to_string(found) + ": " + listed(names);
    if (found > expected || label_mode_for_loss() != LabelMode::integer)
      throw InvalidArgument(path_ + ": " + what);
    if (options_.announce)
      options_.announce({.severity = Finding::Severity::warning, .where = path_, .what = what});
  }

  const std::string& path_;
  const DataOptions& options_;
  ModelFit fit_;
  const Ports& inputs_;
  const Ports& outputs_;
};

}  // namespace

OpenedData open_data(const std::string& path, const Model& model, const DataOptions& options) {
  return DataOpener(path, model, options).open();
}

}  // namespace plimsoll
