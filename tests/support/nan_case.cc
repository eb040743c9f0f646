#include "tests/support/nan_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <utility>

namespace plimsoll::testing {
namespace {

class OwnLayerBody final : public LayerBody {
 public:
  explicit OwnLayerBody(std::function<Tensor(const Tensor&)> function)
      : function_(std::move(function)) {}
  std::string_view class_name() const override { return "OwnLayer"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {function_(inputs[0])};
  }

 private:
  std::function<Tensor(const Tensor&)> function_;
};

class Finder final : public Callback {
 public:
  bool on_not_finite(TrainingState& state, const NotFinite&) override {
    if (state.bad_batch != nullptr) found = *state.bad_batch;
    return false;
  }
  BadBatch found{.first = {.op = "nothing was found"}};
};

Model model_of(const NanCase& nan_case) {
  reset_names();
  set_random_seed(5);
  const Tensor input = Input({.shape = {kNanColumns}});
  const Tensor below = Dense(
      {.units = kNanColumns, .use_bias = false, .kernel_initializer = "identity", .name = "below"})(
      input);
  const Tensor output = Dense({.units = 1,
                               .activation = nan_case.head_activation,
                               .kernel_initializer = "ones",
                               .kernel_regularizer = nan_case.head_regularizer,
                               .name = "head"})(nan_case.middle(below));
  Model model({input}, {output});
  model.compile(
      {.optimizer = SGD({.learning_rate = nan_case.learning_rate}), .loss = nan_case.loss});
  if (nan_case.prepare) nan_case.prepare(model);
  return model;
}

}  // namespace

NanData::NanData() : y(kNanRecords, 1) {
  for (int64_t i = 0; i < kNanRecords * kNanColumns; ++i)
    x.push_back(0.5f + 0.05f * static_cast<float>(i * 7 % 19));
}

void NanData::set_record(int64_t record, float value) {
  for (int64_t column = 0; column < kNanColumns; ++column)
    x[static_cast<size_t>(record * kNanColumns + column)] = value;
}

void PrintTo(const NanFinding& finding, std::ostream* to) {
  *to << fmt::format("{{{} (gradient of '{}') in '{}', weight '{}', records [{}]{}}}", finding.op,
                     finding.gradient_of, finding.layer, finding.weight,
                     fmt::join(finding.records, ", "), finding.is_every_record ? ", every" : "");
}

NanFinding train_until_bad(const NanCase& nan_case) {
  NanData data;
  nan_case.spoil(data);
  Model model = model_of(nan_case);
  const auto finder = std::make_shared<Finder>();
  FitOptions options{
      .epochs = nan_case.epochs, .batch_size = kNanBatch, .shuffle = false, .verbose = 0};
  options.reading.allow_not_finite = true;
  if (nan_case.micro_batch > 0) options.saving.micro_batch = nan_case.micro_batch;
  options.callbacks = {finder};
  if (!data.weights.empty()) options.sample_weight = constant(data.weights, {kNanRecords});
  EXPECT_THROW(model.fit(constant(data.x, {kNanRecords, kNanColumns}),
                         constant(data.y, {kNanRecords, 1}), options),
               NotFinite);
  const BadBatch& bad = finder->found;
  return {.op = bad.first.op,
          .gradient_of = bad.first.gradient_of,
          .layer = bad.first.layer,
          .weight = bad.first.name,
          .records = bad.records,
          .is_every_record = bad.is_every_record};
}

Layer own_layer(const std::string& name, std::function<Tensor(const Tensor&)> function) {
  auto body = std::make_shared<OwnLayerBody>(std::move(function));
  body->set_name(name);
  return Layer(body);
}

}  // namespace plimsoll::testing
