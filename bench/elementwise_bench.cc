// Elementwise kernels against a plain loop that the compiler vectorises for this processor's
// baseline, interleaved in one run.
//
//   elementwise_bench [--threads N] [--rounds N] [--json FILE]
//
// Ratios are speed of ours to speed of the loop: above 1 we are faster. "small" tensors stay in the
// first-level cache, "large" ones come from memory. The loop runs on as many threads as ours.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/elementwise/elementwise_program.h"
#include "plimsoll/kernels/random/random.h"
#include "plimsoll/tensor/storage.h"

namespace {

using namespace plimsoll;
using kernels::ElementwiseProgram;
using kernels::Function;

constexpr int64_t kSmall = 2048, kLarge = 1 << 24;

double seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The buffers of one case: inputs of up to three full tensors, one output.
struct Buffers {
  explicit Buffers(int64_t elements) {
    for (int i = 0; i < 4; ++i) {
      storage.push_back(std::make_unique<Storage>(elements * 4));
      float* values = reinterpret_cast<float*>(storage.back()->data());
      for (int64_t k = 0; k < elements; ++k)
        values[k] =
            static_cast<float>((k * 7 + i * 3) % 1000) * 0.006f + 0.5f;  // positive, for logarithms
    }
  }
  float* at(int i) const {
    return reinterpret_cast<float*>(storage[static_cast<size_t>(i)]->data());
  }
  std::vector<std::unique_ptr<Storage>> storage;
};

// A kernel with everything that it needs to run on `buffers`.
class Bound {
 public:
  Bound(const std::function<KernelPtr(const KernelRequest&)>& make, const Specs& inputs,
        const Spec& output, const Buffers& buffers) {
    const std::vector<Layout> plain(inputs.size() + 1);
    const KernelRequest request = {inputs, std::span(&output, 1),
                                   std::span(plain).first(inputs.size()),
                                   std::span(plain).first(1)};
    kernel_ = make(request);
    scratch_ = std::make_unique<Storage>(kernel_->scratch_bytes() + 1);
    for (size_t i = 0; i < inputs.size(); ++i) inputs_.push_back(buffers.storage[i]->data());
    outputs_.push_back(buffers.storage[3]->data());
  }
  void run() const { kernel_->run({inputs_.data(), outputs_.data(), scratch_->data()}); }

 private:
  KernelPtr kernel_;
  std::unique_ptr<Storage> scratch_;
  std::vector<std::byte*> inputs_, outputs_;
};

struct Case {
  std::string name;
  std::function<KernelPtr(const KernelRequest&)> make;
  std::function<Specs(const Shape&)> inputs;
  // The plain loop over [begin, end) of a tensor with rows of `width`.
  std::function<void(const Buffers&, int64_t begin, int64_t end, int64_t width)> loop;
  DType output = DType::float32;
};

std::function<KernelPtr(const KernelRequest&)> program(const ElementwiseProgram& p) {
  return [p](const KernelRequest& request) { return kernels::make_elementwise(p, request); };
}

std::function<Specs(const Shape&)> full(size_t count) {
  return [count](const Shape& shape) { return Specs(count, {DType::float32, shape}); };
}

template <class Compute>
auto unary_loop(Compute compute) {
  return [compute](const Buffers& b, int64_t begin, int64_t end, int64_t) {
    const float* x = b.at(0);
    float* y = b.at(3);
    for (int64_t i = begin; i < end; ++i) y[i] = compute(x[i]);
  };
}

Case unary_case(Function function, auto compute) {
  return {std::string(kernels::name_of(function)), program(ElementwiseProgram::of(function)),
          full(1), unary_loop(compute)};
}

std::vector<Case> cases() {
  const auto add = program(ElementwiseProgram::of(Function::add));
  // relu(x * y + w) - x: four ops in one pass.
  auto chain = ElementwiseProgram::of(Function::multiply);
  chain = *kernels::inline_input(ElementwiseProgram::of(Function::add), 0, chain);
  chain = *kernels::inline_input(ElementwiseProgram::of(Function::relu), 0, chain);
  chain = *kernels::inline_input(ElementwiseProgram::of(Function::subtract), 0, chain);
  chain = kernels::share_input(chain, 0, 3);
  std::vector<Case> all = {
      {"add", add, full(2),
       [](const Buffers& b, int64_t begin, int64_t end, int64_t) {
         const float *x = b.at(0), *y = b.at(1);
         float* z = b.at(3);
         for (int64_t i = begin; i < end; ++i) z[i] = x[i] + y[i];
       }},
      {"add_scalar", add,
       [](const Shape& shape) {
         return Specs{{DType::float32, shape}, {DType::float32, {}}};
       },
       [](const Buffers& b, int64_t begin, int64_t end, int64_t) {
         const float *x = b.at(0), y = b.at(1)[0];
         float* z = b.at(3);
         for (int64_t i = begin; i < end; ++i) z[i] = x[i] + y;
       }},
      {"add_row", add,
       [](const Shape& shape) {
         return Specs{{DType::float32, shape}, {DType::float32, {shape.back()}}};
       },
       [](const Buffers& b, int64_t begin, int64_t end, int64_t width) {
         for (int64_t row = begin / width; row < end / width; ++row)
           for (int64_t i = 0; i < width; ++i)
             b.at(3)[row * width + i] = b.at(0)[row * width + i] + b.at(1)[i];
       }},
      {"add_column", add,
       [](const Shape& shape) {
         return Specs{{DType::float32, shape}, {DType::float32, {shape[0], 1}}};
       },
       [](const Buffers& b, int64_t begin, int64_t end, int64_t width) {
         for (int64_t row = begin / width; row < end / width; ++row)
           for (int64_t i = 0; i < width; ++i)
             b.at(3)[row * width + i] = b.at(0)[row * width + i] + b.at(1)[row];
       }},
      {"greater", program(ElementwiseProgram::of(Function::greater, DType::boolean)), full(2),
       [](const Buffers& b, int64_t begin, int64_t end, int64_t) {
         const float *x = b.at(0), *y = b.at(1);
         uint8_t* z = reinterpret_cast<uint8_t*>(b.at(3));
         for (int64_t i = begin; i < end; ++i) z[i] = x[i] > y[i];
       },
       DType::boolean},
      {"fused_chain_of_4", program(chain), full(3),
       [](const Buffers& b, int64_t begin, int64_t end, int64_t) {
         const float *x = b.at(0), *y = b.at(1), *w = b.at(2);
         float* z = b.at(3);
         for (int64_t i = begin; i < end; ++i) {
           const float t = x[i] * y[i] + w[i];
           z[i] = (t < 0 ? 0 : t) - x[i];
         }
       }},
      {"dropout",
       [](const KernelRequest& request) { return kernels::make_dropout(0.5, 1, request); },
       [](const Shape& shape) {
         return Specs{{DType::float32, shape}, {DType::int64, {}}, {DType::int64, {}}};
       },
       unary_loop([](float x) { return x * 2; })},
  };
  all.push_back(unary_case(Function::relu, [](float x) { return x < 0 ? 0 : x; }));
  all.push_back(unary_case(Function::sqrt, [](float x) { return std::sqrt(x); }));
  all.push_back(unary_case(Function::exp, [](float x) { return std::exp(x); }));
  all.push_back(unary_case(Function::log, [](float x) { return std::log(x); }));
  all.push_back(unary_case(Function::log1p, [](float x) { return std::log1p(x); }));
  all.push_back(unary_case(Function::tanh, [](float x) { return std::tanh(x); }));
  all.push_back(unary_case(Function::sigmoid, [](float x) { return 1 / (1 + std::exp(-x)); }));
  all.push_back(
      unary_case(Function::softplus, [](float x) { return x + std::log1p(std::exp(-x)); }));
  all.push_back(unary_case(Function::erf, [](float x) { return std::erf(x); }));
  all.push_back(unary_case(Function::sin, [](float x) { return std::sin(x); }));
  return all;
}

struct Times {
  double ours, loop;  // nanoseconds for an element, the least of all rounds
};

Times measure(const Case& c, const Shape& shape, int rounds) {
  const int64_t elements = shape.elements();
  const Buffers buffers(elements);
  const Bound ours(c.make, c.inputs(shape), {c.output, shape}, buffers);
  const int64_t repeats = std::max<int64_t>(1, (1 << 22) / elements);
  const int64_t grain = std::max<int64_t>(elements / thread_count(), shape.back());
  Times least = {1e9, 1e9};
  for (int round = 0; round < rounds; ++round) {
    const double start = seconds();
    for (int64_t i = 0; i < repeats; ++i) ours.run();
    const double middle = seconds();
    for (int64_t i = 0; i < repeats; ++i)
      if (elements < 16384)
        c.loop(buffers, 0, elements, shape.back());
      else
        parallel_for(elements, grain, [&](int64_t begin, int64_t end) {
          c.loop(buffers, begin, end, shape.back());
        });
    const double end = seconds();
    const double scale = 1e9 / static_cast<double>(repeats * elements);
    least.ours = std::min(least.ours, (middle - start) * scale);
    least.loop = std::min(least.loop, (end - middle) * scale);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 15;
  std::string json_path;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--threads") set_thread_count(std::atoi(argv[i + 1]));
    if (option == "--rounds") rounds = std::atoi(argv[i + 1]);
    if (option == "--json") json_path = argv[i + 1];
  }
  std::string json;
  std::printf("%-18s %-6s %12s %12s %8s   (%d threads)\n", "", "", "ours ns/elt", "loop ns/elt",
              "ratio", thread_count());
  for (const Case& c : cases())
    for (const bool large : {false, true}) {
      const Shape shape = large ? Shape{kLarge / 256, 256} : Shape{kSmall / 256, 256};
      const Times times = measure(c, shape, large ? rounds : 2 * rounds);
      const double ratio = times.loop / times.ours;
      std::printf("%-18s %-6s %12.3f %12.3f %8.2f\n", c.name.c_str(), large ? "large" : "small",
                  times.ours, times.loop, ratio);
      json += (json.empty() ? "{" : ", ") + std::string("\"") + c.name +
              (large ? "_large" : "_small") +
              "\": {\"ns_per_element\": " + std::to_string(times.ours) +
              ", \"ratio\": " + std::to_string(ratio) + "}";
    }
  if (!json_path.empty()) std::ofstream(json_path) << json << "}\n";
  return 0;
}
