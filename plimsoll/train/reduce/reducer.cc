#include "plimsoll/train/reduce/reducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/data/stages/chosen.h"
#include "plimsoll/data/stages/permutation.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/guards/reduce/fewest.h"
#include "plimsoll/guards/reduce/smaller_network.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/train/files/compile_config.h"
#include "plimsoll/train/reduce/case_records.h"
#include "plimsoll/train/reduce/kept_clock.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostGuessed = 256;  // records of a guess

// While one exists, what the engine notices about trials is not reported.
class WithoutFindings {
 public:
  WithoutFindings() : before_(set_finding_handler([](const Finding&) {})) {}
  ~WithoutFindings() { set_finding_handler(std::move(before_)); }
  WithoutFindings(const WithoutFindings&) = delete;
  WithoutFindings& operator=(const WithoutFindings&) = delete;

 private:
  FindingHandler before_;
};

Json config_of(const Candidate& candidate) {
  return parse_json(candidate.network, "reduce");
}

std::vector<Shape> output_shapes(const Network& network) {
  std::vector<Shape> shapes;
  for (const Port& port : network.outputs()) shapes.push_back(port.spec.shape);
  return shapes;
}

// A layer of a program in another language is code, which no file holds.
void refuse_foreign_layers(const LayerBody& layer) {
  if (!layer.foreign_json().empty())
    throw InvalidArgument(fmt::format(
        "reduce: the layer '{}' is code of the program, which the file of a case cannot hold",
        layer.name()));
  for (const LayerBody::Child& child : layer.children()) refuse_foreign_layers(*child.layer);
}

}  // namespace

Reducer::Reducer(const Model& model, const Dataset& data, const ReduceOptions& options)
    : model_(model), data_(data), options_(options) {
  if (data.source == nullptr) throw InvalidArgument("reduce: there is no data");
  if (data.source->stream() != nullptr || !data.buckets.empty())
    throw InvalidArgument("reduce: expected records that can be read in any order, found a stream");
  refuse_foreign_layers(model.network());
  if (model.network().inputs().empty()) model.examine(data);  // builds it
  setting_ = {.compile = dump_json(compile_config(model.compile_options())),
              .meaning = data,
              .reading = options.fit.reading,
              .memory = options.fit.memory,
              .seed = options.fit.seed.value_or(random_seed()),
              .shuffles = options.fit.shuffle && !data.batch_size,
              .is_over = [this] { return is_over(); }};
  base_ = data.source;
  best_ = {.network = dump_json(network_to_json(model.network())),
           .start = std::make_shared<StartState>(model.network()),
           .records = base_,
           .batch_size = data.batch_size.value_or(options.fit.batch_size.value_or(32)),
           .epochs = options.fit.epochs};
  from_ = size_of(best_);
}

ReducedCase Reducer::run() {
  const WithoutFindings silence;
  find_failure();
  reduce_records();
  reduce_layers();
  reduce_units();
  reduce_layers();
  reduce_records();
  reduce_steps();
  return result();
}

bool Reducer::is_over() const {
  return watch_.seconds() > options_.seconds || (options_.is_stopped && options_.is_stopped());
}

void Reducer::tell(const std::string& trying) {
  if (!options_.on_progress) return;
  options_.on_progress({.trying = trying,
                        .records = best_.records->size(),
                        .layers = std::ssize(layers_of(config_of(best_))),
                        .trials = trials_,
                        .seconds = watch_.seconds()});
}

// As many steps as the training may take, whatever the number of records.
int64_t Reducer::epochs_for(int64_t records) const {
  const int64_t batches = (records + best_.batch_size - 1) / best_.batch_size;
  return std::max<int64_t>(1, (steps_ + batches - 1) / std::max<int64_t>(1, batches));
}

Candidate Reducer::candidate_of(const Numbers& numbers) const {
  Candidate candidate = best_;
  candidate.records = chosen(base_, numbers);
  candidate.epochs = epochs_for(std::ssize(numbers));
  return candidate;
}

bool Reducer::takes(const Candidate& candidate) {
  ++trials_;
  try {
    const TrialResult result = run_trial(setting_, candidate, look_);
    if (!result.failure || !fails_alike(*result.failure, original_)) return false;
    failure_ = *result.failure;
  } catch (const Error&) {
    return false;  // it cannot be built or trained
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  best_ = candidate;
  return true;
}

bool Reducer::takes_records(const Numbers& numbers) {
  tell("records");
  if (!takes(candidate_of(numbers))) return false;
  kept_ = numbers;
  return true;
}

// What the outputs mean stays the same: they keep their shapes.
bool Reducer::takes_network(const Json& network) {
  Candidate candidate = best_;
  candidate.network = dump_json(network);
  try {
    if (output_shapes(*network_from_json(network)) != output_shapes(model_.network())) return false;
  } catch (const Error&) {
    return false;
  }
  return takes(candidate);
}

void Reducer::reduce_records() {
  if (kept_.empty()) try_guesses();
  search_records();
}

// First those that are known to be involved, then more and more of all.
void Reducer::try_guesses() {
  const int64_t count = base_->size();
  if (look_ == Look::before_training || look_ == Look::after_training) {
    const Permutation order(count, shuffle_key(setting_.seed, 0));
    for (int64_t some = 1; some <= kMostGuessed && some < count; some *= 2) {
      Numbers guess;
      for (int64_t i = 0; i < some; ++i) guess.push_back(order(i));
      std::ranges::sort(guess);
      guesses_.push_back(std::move(guess));
    }
  }
  for (const Numbers& guess : guesses_)
    if (!is_over() && takes_records(guess)) return;
  kept_.resize(static_cast<size_t>(count));
  std::iota(kept_.begin(), kept_.end(), 0);
}

void Reducer::search_records() {
  const Fewest found = fewest(
      kept_, [this](const Numbers& some) { return takes_records(some); },
      [this] { return is_over(); });
  is_minimal_ = is_minimal_ && found.is_minimal;
}

void Reducer::reduce_layers() {
  for (const Stands stands : {Stands::first_input, Stands::last_input}) {
    const Json network = config_of(best_);
    if (stands == Stands::last_input && network.value("class_name", "") == "Sequential") return;
    const std::vector<std::string> names = layers_of(network);
    Numbers all(names.size());
    std::iota(all.begin(), all.end(), 0);
    const auto fails_with = [&](const Numbers& some) {
      std::set<std::string> dropped(names.begin(), names.end());
      for (const int64_t kept : some) dropped.erase(names[static_cast<size_t>(kept)]);
      tell("layers");
      const std::optional<Json> smaller = without_layers(network, dropped, stands);
      return smaller && takes_network(*smaller);
    };
    is_minimal_ = fewest(all, fails_with, [this] { return is_over(); }).is_minimal && is_minimal_;
  }
}

// One unit if that will do, else half of them as often as it does.
void Reducer::reduce_units() {
  for (LayerSize size : sizes_of(config_of(best_))) {
    const auto takes_size = [&](int64_t value) {
      if (is_over()) return is_minimal_ = false;
      tell("units");
      return takes_network(with_size(config_of(best_), {size.layer, size.setting, value}));
    };
    if (takes_size(1)) continue;
    for (; size.value > 3 && takes_size(size.value / 2); size.value /= 2) {
    }
  }
}

// Of a step that is not finite, the epoch in which it comes; else 1, 2, 4, … epochs.
void Reducer::reduce_steps() {
  if (look_ == Look::at_steps) best_.epochs = std::max<int64_t>(1, failure_.epoch);
  if (look_ == Look::at_records) best_.epochs = 1;
  if (look_ != Look::after_training) return;
  const int64_t most = best_.epochs;
  for (int64_t epochs = 1; epochs < most; epochs *= 2) {
    if (is_over()) {
      is_minimal_ = false;
      return;
    }
    tell("steps");
    Candidate candidate = best_;
    candidate.epochs = epochs;
    if (takes(candidate)) return;
  }
}

CaseSize Reducer::size_of(const Candidate& candidate) const {
  const Json json = config_of(candidate);
  CaseSize size{.records = candidate.records->size(), .layers = std::ssize(layers_of(json))};
  for (const Variable& weight : network_from_json(json)->weights())
    size.parameters += weight.shape().elements();
  return size;
}

ReducedCase Reducer::result() const {
  ReducedCase found{.failure = failure_,
                    .original = original_,
                    .model = make_model(setting_, best_),
                    .epochs = best_.epochs,
                    .batch_size = std::min(best_.batch_size, best_.records->size()),
                    .seed = setting_.seed,
                    .is_trained = look_ != Look::before_training,
                    .is_shuffled = setting_.shuffles,
                    .allows_not_finite = setting_.reading.allow_not_finite,
                    .begins_before_bad_step = begins_before_bad_step_,
                    .from = from_,
                    .size = size_of(best_),
                    .trials = trials_,
                    .seconds = watch_.seconds(),
                    .is_minimal = is_minimal_};
  found.fields = read_all(*best_.records);
  found.field_names = array_names(found.model, dataset_of(setting_, best_.records));
  for (int64_t i = 0; i < best_.records->size(); ++i)
    found.record_names.push_back(best_.records->name(i));
  return found;
}

ReducedCase reduce(const Model& model, const Dataset& data, const ReduceOptions& options) {
  const KeptClock clock;
  return Reducer(model, data, options).run();
}

}  // namespace plimsoll
