#include "plimsoll/kernels/random.h"

#include <bit>
#include <cmath>

#include "plimsoll/kernels/random_chunks.h"

namespace plimsoll::kernels {
namespace {

// This file is compiled for the oldest processor: with fused multiply-adds the same draw would have
// other last bits on other machines.

struct State {
  int first_input = 0;
  bool has_first_sample = false;
  uint64_t stream = 0;

  Draw draw(const KernelArguments& arguments) const {
    const auto number = [&](int i) { return *arguments.input<int64_t>(first_input + i); };
    return Draw::of(number(0), number(1), has_first_sample ? number(2) : 0, stream);
  }
};

// ln(x) for normal x in (0, 1]; see vector_math-inl.h.
inline float logarithm(float x) {
  const int32_t offset = std::bit_cast<int32_t>(x) - 0x3F3504F3;
  const float exponent = static_cast<float>(offset >> 23);
  const float f = std::bit_cast<float>((offset & 0x7FFFFF) + 0x3F3504F3) - 1;
  float p = 0.0674655214f;
  for (float term : {-0.116756283f, 0.118881904f, -0.124055944f, 0.142195493f, -0.166679949f,
                     0.200021192f, -0.250000089f, 0.333333135f})
    p = p * f + term;
  const float small = f * f * f * p + exponent * -2.12194440e-4f - f * f * 0.5f;
  return f + small + exponent * 0.693359375f;
}

// Two standard normals from two words, by Box and Muller; as base's box_muller, but with the same
// bits everywhere.
inline void normal_pair(uint32_t word0, uint32_t word1, float* pair) {
  const float uniform = static_cast<float>((static_cast<double>(word0) + 1) * 0x1p-32);
  const float radius = std::sqrt(-2 * logarithm(uniform));
  // The angle in quarter turns: a whole number and f in [-1/2, 1/2).
  const float turns = uniform01(word1) * 4;
  const int quarter = static_cast<int>(turns + 0.5f);
  const float f = turns - static_cast<float>(quarter), s = f * f;
  float sine = 0.000158195078f;
  for (float term : {-0.00468126079f, 0.0796925798f, -0.645964086f, 1.57079637f})
    sine = sine * s + term;
  sine *= f;
  float cosine = 0.00090336299f;
  for (float term : {-0.0208599363f, 0.253669173f, -1.23370051f, 1.0f}) cosine = cosine * s + term;
  const float x = quarter & 1 ? sine : cosine, y = quarter & 1 ? cosine : sine;
  pair[0] = radius * ((quarter + 1) & 2 ? -x : x);
  pair[1] = radius * (quarter & 2 ? -y : y);
}

class RandomUniform final : public Kernel {
 public:
  RandomUniform(float low, float high, State state, const KernelRequest& request)
      : low_(low),
        width_(high - low),
        most_(low < high ? std::nextafter(high, low) : high),
        state_(state),
        chunks_(request.outputs[0].shape, request.output_layouts[0]) {}

  void run(const KernelArguments& arguments) const override {
    float* const output = arguments.output(0);
    chunks_.for_each(state_.draw(arguments), [&](uint32_t* words, int64_t first, int64_t count) {
      for (int64_t i = 0; i < count; ++i)
        output[first + i] = std::min(low_ + uniform01(words[i]) * width_, most_);
    });
  }

 private:
  float low_, width_;
  float most_;  // rounding may not reach `high`
  State state_;
  RandomChunks chunks_;
};

class RandomNormal final : public Kernel {
 public:
  RandomNormal(float mean, float stddev, State state, const KernelRequest& request)
      : mean_(mean),
        stddev_(stddev),
        state_(state),
        chunks_(request.outputs[0].shape, request.output_layouts[0]) {}

  void run(const KernelArguments& arguments) const override {
    float* const output = arguments.output(0);
    chunks_.for_each(state_.draw(arguments), [&](uint32_t* words, int64_t first, int64_t count) {
      float normals[4 * kDrawQuads];
      for (int64_t i = 0; i < count; i += 2) normal_pair(words[i], words[i + 1], normals + i);
      for (int64_t i = 0; i < count; ++i) output[first + i] = mean_ + stddev_ * normals[i];
    });
  }

 private:
  float mean_, stddev_;
  State state_;
  RandomChunks chunks_;
};

class Dropout final : public Kernel {
 public:
  Dropout(double rate, State state, const KernelRequest& request)
      : threshold_(dropout_threshold(rate)),
        scale_(static_cast<float>(1 / (1 - rate))),
        state_(state),
        chunks_(request.outputs[0].shape, request.output_layouts[0]) {}

  void run(const KernelArguments& arguments) const override {
    const float* const x = arguments.input(0);
    float* const y = arguments.output(0);
    chunks_.for_each(state_.draw(arguments), [&](uint32_t* words, int64_t first, int64_t count) {
      keep_at_random(words, threshold_, scale_, count, x + first, y + first);
    });
  }

 private:
  uint32_t threshold_;
  float scale_;
  State state_;
  RandomChunks chunks_;
};

State state_of(int first_input, uint64_t stream, const KernelRequest& request) {
  return {first_input, request.inputs.size() == static_cast<size_t>(first_input) + 3, stream};
}

}  // namespace

KernelPtr make_random_uniform(double low, double high, uint64_t stream,
                              const KernelRequest& request) {
  return std::make_unique<RandomUniform>(static_cast<float>(low), static_cast<float>(high),
                                         state_of(0, stream, request), request);
}

KernelPtr make_random_normal(double mean, double stddev, uint64_t stream,
                             const KernelRequest& request) {
  return std::make_unique<RandomNormal>(static_cast<float>(mean), static_cast<float>(stddev),
                                        state_of(0, stream, request), request);
}

KernelPtr make_dropout(double rate, uint64_t stream, const KernelRequest& request) {
  return std::make_unique<Dropout>(rate, state_of(1, stream, request), request);
}

uint32_t dropout_threshold(double rate) {
  return static_cast<uint32_t>(std::min(std::llround(rate * 0x1p32), 0xFFFFFFFFll));
}

}  // namespace plimsoll::kernels
