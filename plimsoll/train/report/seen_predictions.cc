#include "plimsoll/train/report/seen_predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/train/data/model_fields.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/report/judged_output.h"
#include "plimsoll/train/report/record_view.h"

namespace plimsoll {
namespace {

constexpr size_t kMostWorst = 24, kMostPoints = 1500, kMostClasses = 60, kMostValues = 8;

// Ends a prediction that takes too long.
struct SeenEnough {};

// How many records of an actual class were taken for another: as many pairs as records at most, for
// a model may have a million classes.
using Confusion = std::map<std::pair<int64_t, int64_t>, int64_t>;

struct WrongRecord {
  int64_t record = 0;
  JudgedOutput::Verdict verdict = {};
  double predicted = 0, target = 0;  // the first numbers
};

class Judge final : public Callback {
 public:
  Judge(const JudgedOutput& output, const Dataset& data, size_t target, double most_seconds)
      : output_(output), record_(*data.source), target_(target), most_seconds_(most_seconds) {}

  void on_predict_batch_end(TrainingState& state) override {
    const Tensor& outputs = state.outputs[0];
    const int64_t count = outputs.shape()[0];
    const std::vector<double> all = numbers_of(outputs.spec(), outputs.data());
    const size_t width = all.size() / static_cast<size_t>(std::max<int64_t>(1, count));
    for (int64_t i = 0; i < count; ++i)
      judge(seen_ + i, std::span(all).subspan(static_cast<size_t>(i) * width, width));
    seen_ += count;
    if (watch_.seconds() > most_seconds_) throw SeenEnough();
  }

  int64_t seen() const { return seen_; }
  int64_t left_out() const { return left_out_; }
  const Confusion& confusion() const { return confusion_; }
  const std::vector<std::pair<double, double>>& points() const { return points_; }
  const std::vector<WrongRecord>& worst() const { return worst_; }

 private:
  void judge(int64_t record, std::span<const double> predicted) {
    std::vector<double> target;
    try {
      record_.read(record);
      target = record_.numbers(target_);
    } catch (const Error&) {
      ++left_out_;
      return;
    }
    const auto verdict = output_.judge(predicted, target);
    if (!verdict) {
      ++left_out_;
      return;
    }
    if (output_.is_of_classes())
      ++confusion_[{verdict->actual, verdict->predicted}];
    else if (predicted.size() == 1 && points_.size() < kMostPoints)
      points_.emplace_back(target[0], predicted[0]);
    keep_if_bad({record, *verdict, predicted[0], target[0]});
  }

  // The worst first.
  void keep_if_bad(const WrongRecord& wrong) {
    const auto is_worse = [](const WrongRecord& a, const WrongRecord& b) {
      return a.verdict.error > b.verdict.error;
    };
    worst_.insert(std::ranges::upper_bound(worst_, wrong, is_worse), wrong);
    if (worst_.size() > kMostWorst) worst_.pop_back();
  }

  const JudgedOutput& output_;
  ReadRecord record_;
  size_t target_;
  double most_seconds_;
  Stopwatch watch_;
  int64_t seen_ = 0, left_out_ = 0;
  Confusion confusion_;
  std::vector<std::pair<double, double>> points_;
  std::vector<WrongRecord> worst_;
};

std::string class_name(const std::vector<std::string>& names, int64_t label) {
  return label < std::ssize(names) ? names[static_cast<size_t>(label)] : std::to_string(label);
}

// Of many classes, those with most errors: a page shows no more.
void add_confusion(const Judge& judge, int64_t classes, const std::vector<std::string>& names,
                   SeenPredictions& into) {
  const auto count = [&](int64_t a, int64_t p) {
    const auto found = judge.confusion().find({a, p});
    return found == judge.confusion().end() ? 0 : found->second;
  };
  std::vector<int64_t> errors(static_cast<size_t>(classes));
  for (const auto& [pair, records] : judge.confusion())
    if (pair.first != pair.second)
      for (const int64_t it : {pair.first, pair.second}) errors[static_cast<size_t>(it)] += records;
  std::vector<int64_t> shown(static_cast<size_t>(classes));
  std::iota(shown.begin(), shown.end(), int64_t{0});
  if (shown.size() > kMostClasses) {
    std::ranges::stable_sort(shown, std::greater{},
                             [&](int64_t it) { return errors[static_cast<size_t>(it)]; });
    shown.resize(kMostClasses);
    std::ranges::sort(shown);
  }
  for (const int64_t a : shown) {
    into.classes.push_back(class_name(names, a));
    for (const int64_t p : shown) into.confusion.push_back(count(a, p));
  }
}

void add_worst(const Judge& judge, const JudgedOutput& output, const Dataset& data, size_t input,
               const std::vector<std::string>& names, SeenPredictions& into) {
  ReadRecord record(*data.source);
  for (const WrongRecord& wrong : judge.worst()) {
    const bool of_classes = output.is_of_classes();
    if (of_classes && wrong.verdict.actual == wrong.verdict.predicted) continue;
    record.read(wrong.record);
    into.worst.push_back({.name = data.source->name(wrong.record),
                          .actual = of_classes ? class_name(names, wrong.verdict.actual)
                                               : fmt::format("{:.4g}", wrong.target),
                          .predicted = of_classes ? class_name(names, wrong.verdict.predicted)
                                                  : fmt::format("{:.4g}", wrong.predicted),
                          .error = wrong.verdict.error,
                          .thumbnail = record.thumbnail(input),
                          .values = record.values(input, kMostValues)});
  }
}

struct Places {
  std::optional<size_t> input, target;
};

Places places_of(const Model& model, const Dataset& data) {
  Places places;
  const std::vector<FieldToCheck> fields = fields_to_check(model, data);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].role == FieldRole::input && !places.input) places.input = i;
    if (fields[i].role == FieldRole::target && !places.target) places.target = i;
  }
  return places;
}

PredictOptions predict_options(const SeeOptions& options, std::shared_ptr<Judge> judge) {
  PredictOptions predict{.collect = false, .reading = options.reading};
  predict.reading.bad = {.then = OnBadRecord::skip, .most = 1};
  predict.callbacks.emplace_back(std::move(judge));
  return predict;
}

}  // namespace

Part<SeenPredictions> see_predictions(Model model, const Dataset& all, const SeeOptions& options) {
  if (all.source == nullptr || !all.buckets.empty() || all.source->stream() != nullptr)
    return {{}, "The validation data has no records that can be read one by one."};
  const Ports outputs = model.network().outputs();
  if (outputs.size() != 1)
    return {{},
            fmt::format("The model has {} outputs; predictions are shown of one.", outputs.size())};
  const Shape record = outputs[0].spec.shape.without(0);
  const auto output = JudgedOutput::of(model, record.rank() == 1 ? record[0] : 0);
  const Places places = places_of(model, all);
  if (!output || !places.input || !places.target)
    return {{}, "The output of the model is neither classes nor numbers of a known loss."};
  Dataset data = all;
  data.source = subset(all.source, 0, std::min(all.source->size(), options.most_records));
  const auto judge = std::make_shared<Judge>(*output, data, *places.target, options.most_seconds);
  try {
    model.predict(data, predict_options(options, judge));
  } catch (const SeenEnough&) {
    // What was seen is shown, and the page says how much that is.
  }
  SeenPredictions seen{.error_name = output->is_of_classes() ? "loss" : "error",
                       .records = judge->seen(),
                       .of = all.source->size(),
                       .left_out = judge->left_out()};
  seen.points = judge->points();
  if (output->is_of_classes()) add_confusion(*judge, output->classes(), options.class_names, seen);
  add_worst(*judge, *output, data, *places.input, options.class_names, seen);
  return {seen};
}

}  // namespace plimsoll
