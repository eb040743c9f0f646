#include "plimsoll/cli/run_data.h"

#include <fmt/format.h>

#include "plimsoll/cli/augment_arguments.h"
#include "plimsoll/data/images/augment_image.h"
#include "plimsoll/data/stages/split.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/train/data/open_data.h"
#include "plimsoll/train/data/split_classes.h"

namespace plimsoll::cli {
namespace {

// Folders of images and texts as Keras's …_dataset_from_directory splits them; of other data the
// last part is the validation, as in Keras's fit.
void split_data(const TrainArguments& arguments, bool is_shuffled, TrainingData& data) {
  if (!arguments.validation_split) return;
  SplitOptions options{.validation_split = *arguments.validation_split,
                       .by = split_by(arguments.split_by),
                       .root = arguments.data.path};
  if (options.by == SplitOptions::By::order && !is_shuffled) {
    data = split_last(data.train, options.validation_split);
    return;
  }
  if (!arguments.no_shuffle) options.seed = random_seed();
  data.validation = data.train;
  const SplitSources parts = split(data.train.source, options);
  data.train.source = parts.train;
  data.validation.source = parts.validation;
}

void warn_of_sorted_classes(const TrainArguments& arguments, bool is_shuffled, const Model& model,
                            const TrainingData& data, Findings& findings) {
  if (split_by(arguments.split_by) == SplitOptions::By::hash) return;
  if (is_shuffled && !arguments.no_shuffle) return;
  if (const auto finding = about_split_classes(model, data, arguments.data.path,
                                               "--split-by hash takes records from all places"))
    findings.add(*finding);
}

}  // namespace

RunData open_run_data(const TrainArguments& arguments, const Model& model,
                      const std::string& folder, Findings& findings) {
  DataOptions options = data_options_for(arguments.model.path, arguments.data, findings);
  use(arguments.reading, options);
  options.folder = folder;
  // An encoding is learnt from what is trained on. Tables, which alone have one, are not shuffled.
  options.encoding_records = [&arguments](const SourcePtr& all) {
    TrainingData parts{Dataset(all)};
    split_data(arguments, false, parts);
    return parts.train.source;
  };
  OpenedData opened = open_data(arguments.data.path, model, options);
  RunData data{{opened.data}};
  const auto names = opened.data.source->class_names();
  data.class_names.assign(names.begin(), names.end());
  // The labels of arrays are numbers already.
  if (data.class_names.empty()) data.class_names = options.class_names;
  split_data(arguments, opened.is_shuffled_to_split, data);
  warn_of_sorted_classes(arguments, opened.is_shuffled_to_split, model, data, findings);
  if (const int64_t overlap = opened.data.source->overlap();
      overlap > 0 && arguments.validation_split)
    findings.add(
        {.where = arguments.data.path,
         .what = fmt::format("{} window(s) between training and validation share rows with "
                             "both and are left out",
                             overlap)});
  if (!arguments.augmentation.empty())
    data.train.source =
        augmented(data.train.source, parse_augmentation(arguments.augmentation), random_seed());
  if (!arguments.validation.empty()) {
    // The numbers of the classes and the columns are those of the training data.
    options.class_names = data.class_names;
    if (!opened.data.schema.inputs.empty()) options.schema = opened.data.schema;
    options.encode.clear();
    data.validation = open_data(arguments.validation, model, options).data;
  }
  return data;
}

}  // namespace plimsoll::cli
