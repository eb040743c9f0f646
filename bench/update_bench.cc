// The rules of the optimizers, written by hand, against the same rules as elementwise programs,
// interleaved in one run on one thread.
//
//   update_bench [--rounds N] [--json FILE]
//
// Ratios are the time of the program to the time of the hand-written kernel: above 1 the program is
// slower. Time is that of the processor, and both work in place on the same buffers. "same bits"
// says whether both leave the same weight and slots: programs have no fused multiply-add.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/elementwise/elementwise_program.h"
#include "plimsoll/kernels/update/update.h"
#include "plimsoll/tensor/storage.h"

namespace {

using namespace plimsoll;
using kernels::ElementwiseProgram;
using kernels::Function;
using kernels::UpdateForm;
using kernels::UpdateRule;

constexpr int64_t kSizes[] = {1 << 14, 1 << 17, 1 << 21};
constexpr float kRate = 1e-6f;
using F = Function;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A rule both ways. The program's inputs are weight, gradient, slots and then `scalars`.
struct Rule {
  std::string name;
  UpdateForm form;
  std::vector<float> scalars;
  ElementwiseProgram program;
  std::vector<float> rule_scalars = {};  // that the kernel takes beside the learning rate
};

// Writes a program down instruction by instruction.
class Writer {
 public:
  Writer(int slots, std::vector<float> scalars) : scalars_(std::move(scalars)), slots_(slots) {
    program_.inputs = 2 + slots + static_cast<int>(scalars_.size());
  }
  static constexpr int weight = 0, gradient = 1;
  int slot(int i) const { return 2 + i; }
  int scalar(int i) const { return 2 + slots_ + i; }
  int add(Function function, int a, int b = 0, int c = 0) {
    const auto byte = [](int value) { return static_cast<uint8_t>(value); };
    program_.instructions.push_back({function, {byte(a), byte(b), byte(c)}, {}});
    return program_.values() - 1;
  }
  // mean + (value - mean) * share
  int drawn(int mean, int value, int share) {
    return add(F::add, mean, add(F::multiply, add(F::subtract, value, mean), share));
  }
  Rule rule(std::string name, UpdateForm form, std::vector<int> outputs) {
    for (const int value : outputs)
      program_.outputs.push_back({static_cast<uint8_t>(value), DType::float32});
    form.slots = slots_;
    return {std::move(name), form, scalars_, program_};
  }

 private:
  ElementwiseProgram program_;
  std::vector<float> scalars_;
  int slots_;
};

Rule sgd() {
  Writer w(0, {kRate});
  const int move = w.add(F::multiply, w.gradient, w.scalar(0));
  return w.rule("sgd", {.rule = UpdateRule::sgd}, {w.add(F::subtract, w.weight, move)});
}

Rule momentum() {
  Writer w(1, {kRate, 0.9f});
  const int move = w.add(F::multiply, w.gradient, w.scalar(0));
  const int v = w.add(F::subtract, w.add(F::multiply, w.slot(0), w.scalar(1)), move);
  return w.rule("sgd with momentum", {.rule = UpdateRule::sgd, .momentum = 0.9},
                {w.add(F::add, w.weight, v), v});
}

Rule rmsprop() {
  Writer w(1, {kRate, 0.9f, 0.1f, 1e-7f});
  const int fresh = w.add(F::multiply, w.scalar(2), w.add(F::square, w.gradient));
  const int v = w.add(F::add, w.add(F::multiply, w.scalar(1), w.slot(0)), fresh);
  const int root = w.add(F::sqrt, w.add(F::add, v, w.scalar(3)));
  const int move = w.add(F::divide, w.add(F::multiply, w.scalar(0), w.gradient), root);
  return w.rule("rmsprop", {.rule = UpdateRule::rmsprop, .rho = 0.9, .epsilon = 1e-7},
                {w.add(F::subtract, w.weight, move), v});
}

Rule adam() {
  Writer w(2, {kRate, 0.1f, 0.001f, 1e-7f});
  const int m = w.drawn(w.slot(0), w.gradient, w.scalar(1));
  const int v = w.drawn(w.slot(1), w.add(F::square, w.gradient), w.scalar(2));
  const int under = w.add(F::add, w.add(F::sqrt, v), w.scalar(3));
  const int move = w.add(F::divide, w.add(F::multiply, m, w.scalar(0)), under);
  return w.rule("adam", {.rule = UpdateRule::adam, .beta_1 = 0.9, .beta_2 = 0.999, .epsilon = 1e-7},
                {w.add(F::subtract, w.weight, move), m, v});
}

Rule adagrad() {
  Writer w(1, {kRate, 1e-7f});
  const int v = w.add(F::add, w.add(F::square, w.gradient), w.slot(0));
  const int root = w.add(F::sqrt, w.add(F::add, v, w.scalar(1)));
  const int move = w.add(F::divide, w.add(F::multiply, w.scalar(0), w.gradient), root);
  return w.rule("adagrad", {.rule = UpdateRule::adagrad, .epsilon = 1e-7},
                {w.add(F::subtract, w.weight, move), v});
}

Rule adadelta() {
  Writer w(2, {kRate, 0.95f, 0.05f, 1e-7f});
  const int fresh = w.add(F::multiply, w.scalar(2), w.add(F::square, w.gradient));
  const int v = w.add(F::add, w.add(F::multiply, w.scalar(1), w.slot(0)), fresh);
  const int moved = w.add(F::sqrt, w.add(F::add, w.slot(1), w.scalar(3)));
  const int root = w.add(F::sqrt, w.add(F::add, v, w.scalar(3)));
  const int move = w.add(F::divide, w.add(F::multiply, moved, w.gradient), root);
  const int fresh_moved = w.add(F::multiply, w.scalar(2), w.add(F::square, move));
  const int moves = w.add(F::add, w.add(F::multiply, w.scalar(1), w.slot(1)), fresh_moved);
  const int step = w.add(F::multiply, w.scalar(0), move);
  return w.rule("adadelta", {.rule = UpdateRule::adadelta, .rho = 0.95, .epsilon = 1e-7},
                {w.add(F::subtract, w.weight, step), v, moves});
}

Rule nadam() {
  Writer w(2, {kRate, kRate, 1.5f, 0.1f, 0.001f, 1e-7f});
  const int m = w.drawn(w.slot(0), w.gradient, w.scalar(3));
  const int v = w.drawn(w.slot(1), w.add(F::square, w.gradient), w.scalar(4));
  const int of_mean = w.add(F::multiply, w.scalar(0), m);
  const int both = w.add(F::add, of_mean, w.add(F::multiply, w.scalar(1), w.gradient));
  const int root = w.add(F::sqrt, w.add(F::multiply, v, w.scalar(2)));
  const int move = w.add(F::divide, both, w.add(F::add, root, w.scalar(5)));
  Rule rule = w.rule("nadam",
                     {.rule = UpdateRule::nadam,
                      .rule_scalars = 2,
                      .beta_1 = 0.9,
                      .beta_2 = 0.999,
                      .epsilon = 1e-7},
                     {w.add(F::subtract, w.weight, move), m, v});
  rule.rule_scalars = {kRate, 1.5f};
  return rule;
}

Rule adamax() {
  Writer w(2, {kRate, 0.1f, 0.999f, 1e-7f});
  const int m = w.drawn(w.slot(0), w.gradient, w.scalar(1));
  const int u =
      w.add(F::maximum, w.add(F::multiply, w.scalar(2), w.slot(1)), w.add(F::abs, w.gradient));
  const int under = w.add(F::add, u, w.scalar(3));
  const int move = w.add(F::divide, w.add(F::multiply, w.scalar(0), m), under);
  return w.rule("adamax",
                {.rule = UpdateRule::adamax, .beta_1 = 0.9, .beta_2 = 0.999, .epsilon = 1e-7},
                {w.add(F::subtract, w.weight, move), m, u});
}

Rule lion() {
  Writer w(1, {kRate, 0.9f, 0.1f, 0.99f, 0.01f});
  const auto mixed = [&](int mean_share, int gradient_share) {
    const int mean = w.add(F::multiply, w.slot(0), w.scalar(mean_share));
    return w.add(F::add, mean, w.add(F::multiply, w.gradient, w.scalar(gradient_share)));
  };
  const int direction = w.add(F::sign, mixed(1, 2));
  const int m = mixed(3, 4);
  const int move = w.add(F::multiply, direction, w.scalar(0));
  return w.rule("lion", {.rule = UpdateRule::lion, .beta_1 = 0.9, .beta_2 = 0.99},
                {w.add(F::subtract, w.weight, move), m});
}

Rule ftrl() {
  Writer w(2, {kRate, 0.02f, 0.01f, -0.01f, 0.01f});
  const int old_root = w.add(F::sqrt, w.slot(0));
  const int sum = w.add(F::add, w.add(F::square, w.gradient), w.slot(0));
  const int root = w.add(F::sqrt, sum);
  const int sigma = w.add(F::divide, w.add(F::subtract, root, old_root), w.scalar(0));
  const int shrunk = w.add(F::add, w.add(F::multiply, w.scalar(1), w.weight), w.gradient);
  const int change = w.add(F::subtract, shrunk, w.add(F::multiply, sigma, w.weight));
  const int linear = w.add(F::add, w.slot(1), change);
  const int quadratic = w.add(F::add, w.add(F::divide, root, w.scalar(0)), w.scalar(2));
  const int kept = w.add(F::minimum, w.add(F::maximum, linear, w.scalar(3)), w.scalar(4));
  const int weight = w.add(F::divide, w.add(F::subtract, kept, linear), quadratic);
  return w.rule("ftrl",
                {.rule = UpdateRule::ftrl,
                 .learning_rate_power = -0.5,
                 .l1 = 0.01,
                 .l2 = 0.005,
                 .l2_shrinkage = 0.01},
                {weight, sum, linear});
}

// A kernel on buffers of its own or of another.
class Bound {
 public:
  Bound(const Rule& rule, int64_t elements, bool by_hand) : slots_(rule.form.slots) {
    for (int i = 0; i < 2 + slots_; ++i) add(elements);
    if (by_hand) {
      add_scalar(rule.scalars[0]);
      for (const float value : rule.rule_scalars) add_scalar(value);
    } else {
      for (const float value : rule.scalars) add_scalar(value);
    }
    Specs inputs(buffers_.size());
    const Spec tensor{DType::float32, {elements}};
    std::fill_n(inputs.begin(), 2 + slots_, tensor);
    const Specs outputs(static_cast<size_t>(1 + slots_), tensor);
    const std::vector<Layout> plain(inputs.size());
    const KernelRequest request = {inputs, outputs, plain, std::span(plain).first(outputs.size())};
    kernel_ = by_hand ? kernels::make_update(request, rule.form)
                      : kernels::make_elementwise(rule.program, request);
    scratch_ = std::make_unique<Storage>(kernel_->scratch_bytes() + 1);
    point_at(*this);
    elements_ = elements;
    start();
  }

  // Works on the tensors of another from now on.
  void point_at(const Bound& other) {
    inputs_.clear();
    outputs_.clear();
    for (size_t i = 0; i < buffers_.size(); ++i)
      inputs_.push_back((static_cast<int>(i) < 2 + slots_ ? other : *this).buffers_[i]->data());
    for (int i = 0; i <= slots_; ++i)
      outputs_.push_back(inputs_[i == 0 ? 0 : 1 + static_cast<size_t>(i)]);
  }
  void run() const { kernel_->run({inputs_.data(), outputs_.data(), scratch_->data()}); }

  void start() {
    for (int i = 0; i < 2 + slots_; ++i) {
      float* values = reinterpret_cast<float*>(buffers_[static_cast<size_t>(i)]->data());
      for (int64_t k = 0; k < elements_; ++k)
        values[k] = static_cast<float>((k * 7 + i * 3) % 1000) * 0.002f + 0.01f;
    }
  }
  bool equals(const Bound& other) const {
    for (size_t i = 0; i < static_cast<size_t>(2 + slots_); ++i)
      if (std::memcmp(buffers_[i]->data(), other.buffers_[i]->data(),
                      static_cast<size_t>(elements_) * sizeof(float)) != 0)
        return false;
    return true;
  }

 private:
  void add(int64_t elements) {
    buffers_.push_back(std::make_unique<Storage>(elements * static_cast<int64_t>(sizeof(float))));
  }
  void add_scalar(float value) {
    add(1);
    std::memcpy(buffers_.back()->data(), &value, sizeof value);
  }

  int slots_;
  int64_t elements_ = 0;
  KernelPtr kernel_;
  std::vector<std::unique_ptr<Storage>> buffers_;
  std::unique_ptr<Storage> scratch_;
  std::vector<std::byte*> inputs_, outputs_;
};

double nanoseconds(const Bound& bound, int64_t elements, int repeats) {
  const double begin = cpu_seconds();
  for (int i = 0; i < repeats; ++i) bound.run();
  return (cpu_seconds() - begin) * 1e9 / static_cast<double>(elements * repeats);
}

struct Result {
  double hand = 0, program = 0;  // the least, per element
  double ratio = 0;              // the median of the rounds
  bool same_bits = false;
};

Result measure(const Rule& rule, int64_t elements, int rounds) {
  Bound hand(rule, elements, true), program(rule, elements, false);
  hand.run();
  program.run();
  Result result{.hand = 1e9, .program = 1e9, .same_bits = hand.equals(program)};
  program.point_at(hand);
  const int repeats = static_cast<int>(std::max<int64_t>(1, (1 << 20) / elements));
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    const double by_hand = nanoseconds(hand, elements, repeats);
    const double by_program = nanoseconds(program, elements, repeats);
    result.hand = std::min(result.hand, by_hand);
    result.program = std::min(result.program, by_program);
    ratios.push_back(by_program / by_hand);
    hand.start();  // sums do not grow without end
  }
  std::nth_element(ratios.begin(), ratios.begin() + rounds / 2, ratios.end());
  result.ratio = ratios[static_cast<size_t>(rounds / 2)];
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 41;
  std::string json_path, json;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
    if (option == "--json") json_path = argv[i + 1];
  }
  set_thread_count(1);
  std::printf("%-18s %9s %12s %12s %8s %12s  %s\n", "rule", "elements", "hand ns", "program ns",
              "ratio", "of the least", "same bits");
  for (const Rule& rule : {sgd(), momentum(), rmsprop(), adam(), adagrad(), adadelta(), nadam(),
                           adamax(), lion(), ftrl()})
    for (const int64_t elements : kSizes) {
      const Result r = measure(rule, elements, rounds);
      std::printf("%-18s %9lld %12.3f %12.3f %8.2f %12.2f  %s\n", rule.name.c_str(),
                  static_cast<long long>(elements), r.hand, r.program, r.ratio, r.program / r.hand,
                  r.same_bits ? "yes" : "no");
      json += (json.empty() ? "{" : ", ") + std::string("\"") + rule.name + " " +
              std::to_string(elements) + "\": {\"ratio\": " + std::to_string(r.ratio) +
              ", \"ratio_of_least\": " + std::to_string(r.program / r.hand) + "}";
    }
  if (!json_path.empty()) std::ofstream(json_path) << json << "}\n";
  return 0;
}
