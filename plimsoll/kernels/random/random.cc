#include "plimsoll/kernels/random/random.h"

#include <bit>
#include <cmath>

#include "plimsoll/kernels/elementwise/elementwise_functions.h"
#include "plimsoll/kernels/random/random_chunks.h"

namespace plimsoll::kernels {
namespace {

// Floats are computed by code for the oldest processor: with fused multiply-adds the same draw
// would have other last bits on other machines.

struct State {
  int first_input = 0;
  bool has_first_sample = false;
  uint64_t stream = 0;

  Draw draw(const KernelArguments& arguments) const {
    const auto number = [&](int i) { return *arguments.input<int64_t>(first_input + i); };
    return Draw::of(number(0), number(1), has_first_sample ? number(2) : 0, stream);
  }
};

// -2 ln((word + 1) / 2^32), with all 32 bits so that the tail is long; see vector_math-inl.h.
inline float minus_twice_log(uint32_t word) {
  // Exact in two halves, rounded once.
  const float scaled = static_cast<float>(static_cast<int32_t>(word >> 16)) * 65536 +
                       static_cast<float>(static_cast<int32_t>(word & 0xFFFF) + 1);
  const int32_t offset = std::bit_cast<int32_t>(scaled * 0x1p-32f) - 0x3F3504F3;
  const float exponent = static_cast<float>(offset >> 23);
  const float f = std::bit_cast<float>((offset & 0x7FFFFF) + 0x3F3504F3) - 1;
  float p = -0.116756283f + 0.0674655214f * f;
  p = 0.118881904f + p * f;
  p = -0.124055944f + p * f;
  p = 0.142195493f + p * f;
  p = -0.166679949f + p * f;
  p = 0.200021192f + p * f;
  p = -0.250000089f + p * f;
  p = 0.333333135f + p * f;
  const float small = f * f * f * p + exponent * -2.12194440e-4f - f * f * 0.5f;
  return -2 * (f + small + exponent * 0.693359375f);
}

// radius * (cos, sin) of word / 2^32 turns, from the upper 24 bits.
inline void on_circle(float radius, uint32_t word, float* pair) {
  // The angle in quarter turns: a whole number and f in [-1/2, 1/2).
  const float turns = static_cast<float>(static_cast<int32_t>(word >> 8)) * 0x1p-22f;
  // It is not negative, so this rounds it to the nearest.
  const auto quarter = static_cast<int32_t>(turns + 0.5f);  // NOLINT(bugprone-incorrect-roundings)
  const float f = turns - static_cast<float>(quarter), s = f * f;
  float sine = -0.00468126079f + 0.000158195078f * s;
  sine = 0.0796925798f + sine * s;
  sine = -0.645964086f + sine * s;
  sine = (1.57079637f + sine * s) * f;
  float cosine = -0.0208599363f + 0.00090336299f * s;
  cosine = 0.253669173f + cosine * s;
  cosine = -1.23370051f + cosine * s;
  cosine = 1.0f + cosine * s;
  // In odd quarters sine and cosine change places; this is done on bits, because a branch would not
  // be vectorised.
  const int32_t sine_bits = std::bit_cast<int32_t>(sine);
  const int32_t change = (sine_bits ^ std::bit_cast<int32_t>(cosine)) & -(quarter & 1);
  const float x = std::bit_cast<float>(std::bit_cast<int32_t>(cosine) ^ change);
  const float y = std::bit_cast<float>(sine_bits ^ change);
  pair[0] = radius * x * static_cast<float>(1 - ((quarter + 1) & 2));
  pair[1] = radius * y * static_cast<float>(1 - (quarter & 2));
}

// `count` standard normals, two from two words, by Box and Muller: base's box_muller, but with the
// same bits everywhere. `count` is at most 4 * kDrawQuads, and rounded up to even.
void normals(const uint32_t* words, int64_t count, TileFunction square_root, float* to) {
  float radius[2 * kDrawQuads];
  const int64_t pairs = (count + 1) / 2;
  for (int64_t i = 0; i < pairs; ++i) radius[i] = minus_twice_log(words[2 * i]);
  square_root(pairs, {.operands = {{radius}}, .target = radius});
  for (int64_t i = 0; i < pairs; ++i) on_circle(radius[i], words[2 * i + 1], to + 2 * i);
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
      float values[4 * kDrawQuads];
      normals(words, count, square_root_, values);
      for (int64_t i = 0; i < count; ++i) output[first + i] = mean_ + stddev_ * values[i];
    });
  }

 private:
  float mean_, stddev_;
  TileFunction square_root_ = tile_function(Function::sqrt);
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
