// One image of infinities among many: 0 x infinity is not a number, and one such
// number spoils every weight. Here it is found when it is read and named, or left out.
#include <plimsoll/plimsoll.h>

#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace pl = plimsoll;

int main() {
  constexpr int64_t kSamples = 96, kPixels = 16 * 16 * 3, kBad = 70;
  pl::set_random_seed(2);
  std::vector<float> images =
      pl::random_normal({kSamples, 16, 16, 3}, 0, 1, pl::training_clock().draw()).to_vector();
  for (int64_t i = 0; i < kPixels; ++i)
    images[static_cast<size_t>(kBad * kPixels + i)] = std::numeric_limits<float>::infinity();
  const pl::Tensor x = pl::constant(images, {kSamples, 16, 16, 3});
  const pl::Tensor y = pl::cast(pl::random_uniform({kSamples}, 0, 10, pl::training_clock().draw()),
                                pl::DType::int32);

  pl::Sequential model({
      pl::Conv2D({.filters = 8, .kernel_size = {3, 3}, .activation = "relu"}),
      pl::Flatten(),
      pl::Dense({.units = 10, .activation = "softmax"}),
  });
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
  try {
    model.fit(x, y, {.epochs = 10, .batch_size = 32, .shuffle = false, .verbose = 0});
  } catch (const pl::CorruptFile& error) {
    std::printf("training stopped: %s\n", error.what());
  }

  // The weights are as the last good step left them: the model still predicts numbers. What it
  // predicts of the bad image is not looked at.
  const pl::Tensor predicted = model.predict(x, {.reading = {.allow_not_finite = true}});
  for (const float probability : predicted.to_vector<float>())
    if (probability < 0) return 1;
  const pl::History history =
      model.fit(x, y,
                {.epochs = 2,
                 .reading = {.bad = {.then = pl::OnBadRecord::skip, .most = 0.02}},
                 .verbose = 0});
  std::printf("without the image: loss %.4f\n", history.epochs.at("loss").back());
  return history.epochs.at("loss").back() > 0 ? 0 : 1;
}
