// Our recurrent kernels against oneDNN's and against our own GEMM, interleaved in one run.
//
//   recurrent_kernels_bench [--threads N]... [--only TEXT] [--rounds N] [--json FILE]
//
// A case is a sequence forward, keeping what its gradient needs, and the gradient of everything but
// x. The share is of the speed of a product of 1024 x 1024 x 1024; ratios are oneDNN's time and
// memory to ours, above 1 ours is better. Times of one thread are of the processor, which other
// programs disturb less. bench/recurrent.sh holds whole training steps against other programs.
#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution/onednn_version.h"
#include "plimsoll/kernels/gemm/gemm.h"
#include "plimsoll/ops/recurrent/recurrent_op.h"

namespace plimsoll {
namespace {

using namespace kernels;
using Call = std::function<void()>;
using Floats = std::shared_ptr<float>;

struct Case {
  const char* name;
  RecurrentForm form;
  RecurrentSizes sizes;
};

std::vector<Case> cases() {
  const RecurrentForm lstm = {.cell = RecurrentCell::lstm}, gru = {.cell = RecurrentCell::gru};
  RecurrentForm before = gru;
  before.reset_after = false;
  return {
      {"lstm_256_batch_512", lstm, {512, 50, 10, 256}},
      {"lstm_32_batch_1", lstm, {1, 20, 5, 32}},
      {"lstm_32_batch_32", lstm, {32, 20, 5, 32}},
      {"lstm_128_batch_32", lstm, {32, 80, 128, 128}},
      {"lstm_512_batch_64", lstm, {64, 30, 512, 512}},
      {"lstm_1024_batch_1", lstm, {1, 20, 256, 1024}},
      {"gru_256_batch_512", gru, {512, 50, 10, 256}},
      {"gru_128_batch_32", gru, {32, 80, 128, 128}},
      {"gru_before_128_batch_32", before, {32, 80, 128, 128}},
  };
}

// Memory as the engine's arena has it: in huge pages, and touched.
Floats floats(int64_t count) {
  constexpr size_t kHugePage = size_t{2} << 20;
  const size_t bytes = (static_cast<size_t>(count) * sizeof(float) / kHugePage + 1) * kHugePage;
  Floats memory(static_cast<float*>(std::aligned_alloc(kHugePage, bytes)), &std::free);
  madvise(memory.get(), bytes, MADV_HUGEPAGE);
  for (int64_t i = 0; i < count; ++i)
    memory.get()[i] = static_cast<float>(i * 7919 % 1009) / 4036.0f - 0.125f;
  return memory;
}

// An op with memory of its own.
struct Bound {
  Specs inputs, outputs;
  std::vector<Floats> memory;
  std::vector<std::byte*> input_pointers, output_pointers;
  KernelPtr kernel;
  Floats scratch;

  Bound(const Op& op, Specs in, const std::vector<std::byte*>& given) : inputs(std::move(in)) {
    outputs = op.infer(inputs);
    for (const Spec& spec : inputs) input_pointers.push_back(add(spec));
    for (const Spec& spec : outputs) output_pointers.push_back(add(spec));
    for (size_t i = 0; i < given.size(); ++i)
      if (given[i]) input_pointers[i] = given[i];
    const std::vector<Layout> plain_in(inputs.size()), plain_out(outputs.size());
    kernel = op.kernel({inputs, outputs, plain_in, plain_out});
    scratch = floats(kernel->scratch_bytes() / 4 + 16);
  }
  std::byte* add(const Spec& spec) {
    memory.push_back(floats(spec.shape.elements()));
    return reinterpret_cast<std::byte*>(memory.back().get());
  }
  void run() const {
    kernel->run({input_pointers.data(), output_pointers.data(),
                 reinterpret_cast<std::byte*>(scratch.get())});
  }
};

struct Ours {
  Call forward, gradient;
  int64_t bytes = 0;  // what is saved, and the larger scratch
};

Ours ours(const Case& c) {
  const auto& [batch, steps, features, units] = c.sizes;
  const int64_t columns = c.form.gates() * units;
  const auto float32 = [](const Shape& shape) { return Spec{DType::float32, shape}; };
  const bool two = c.form.is_gru() && c.form.reset_after;
  const RecurrentOp op(c.form);
  auto forward = std::make_shared<Bound>(
      op,
      Specs{float32({batch, steps, features}), float32({features, columns}),
            float32({units, columns}), float32(two ? Shape{2, columns} : Shape{columns})},
      std::vector<std::byte*>{});
  RecurrentForm form = c.form;
  form.unused = 1u << kInputGradient;
  const RecurrentFlow flow = {.sequence = true};
  const RecurrentGradientOp gradient_op(form, flow);
  const RecurrentGradientInputs slots(form, flow);
  Specs in(static_cast<size_t>(slots.count));
  std::vector<std::byte*> given(in.size());
  for (size_t i = 0; i < 3; ++i) in[i] = forward->inputs[i], given[i] = forward->input_pointers[i];
  int64_t saved = 0;
  const auto take = [&](int slot, int output) {
    if (slot < 0) return;
    in[static_cast<size_t>(slot)] = forward->outputs[static_cast<size_t>(output)];
    given[static_cast<size_t>(slot)] = forward->output_pointers[static_cast<size_t>(output)];
    saved += in[static_cast<size_t>(slot)].bytes();
  };
  take(slots.gates, kGates);
  take(slots.cells, kCells);
  take(slots.hiddens, kHiddens);
  in[static_cast<size_t>(slots.sequence_gradient)] = float32({batch, units});
  auto gradient = std::make_shared<Bound>(gradient_op, in, given);
  return {[=] { forward->run(); }, [=] { gradient->run(); },
          saved + std::max(forward->kernel->scratch_bytes(), gradient->kernel->scratch_bytes())};
}

using dnnl::memory;

// oneDNN's primitive of the same cell, its weights already in the layout that it likes.
struct Peer {
  dnnl::engine cpu;
  std::unordered_map<int, memory> arguments;
  std::vector<Floats> kept;

  explicit Peer(dnnl::engine engine) : cpu(std::move(engine)) {}

  void add(int argument, const memory::desc& desc) {
    if (desc.get_size() == 0) return;
    kept.push_back(floats(static_cast<int64_t>(desc.get_size()) / 4 + 16));
    arguments.insert_or_assign(argument, memory(desc, cpu, kept.back().get()));
  }
};

memory::desc of(memory::dims dims, memory::format_tag tag = memory::format_tag::any) {
  return {std::move(dims), memory::data_type::f32, tag};
}

Ours peer_lstm(const Case& c) {
  using tag = memory::format_tag;
  const auto& [n, t, f, u] = c.sizes;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  const dnnl::stream stream(cpu);
  auto p = std::make_shared<Peer>(cpu), q = std::make_shared<Peer>(cpu);
  const auto direction = dnnl::rnn_direction::unidirectional_left2right;
  const memory::desc x = of({t, n, f}, tag::tnc), h = of({1, 1, n, u}, tag::ldnc);
  const memory::desc y = of({t, n, u}, tag::tnc), b = of({1, 1, 4, u}, tag::ldgo);
  const memory::desc w = of({1, 1, f, 4, u}), r = of({1, 1, u, 4, u});
  const auto forward = kernels::onednn_desc<dnnl::lstm_forward>(
      cpu, {}, dnnl::prop_kind::forward_training, direction, x, h, h, w, r, b, y, h, h);
  const auto backward = kernels::onednn_gradient_desc<dnnl::lstm_backward>(
      cpu, {}, forward, dnnl::prop_kind::backward, direction, x, h, h, w, r, b, y, h, h, x, h, h, w,
      r, b, y, h, h);
  const auto fill = [&](Peer& peer, const auto& d) {
    peer.add(DNNL_ARG_SRC_LAYER, x);
    peer.add(DNNL_ARG_SRC_ITER, h);
    peer.add(DNNL_ARG_SRC_ITER_C, h);
    peer.add(DNNL_ARG_WEIGHTS_LAYER, d.weights_layer_desc());
    peer.add(DNNL_ARG_WEIGHTS_ITER, d.weights_iter_desc());
    peer.add(DNNL_ARG_BIAS, b);
    peer.add(DNNL_ARG_DST_LAYER, y);
    peer.add(DNNL_ARG_DST_ITER, h);
    peer.add(DNNL_ARG_DST_ITER_C, h);
  };
  fill(*p, forward);
  p->add(DNNL_ARG_WORKSPACE, forward.workspace_desc());
  fill(*q, backward);
  q->arguments.insert_or_assign(DNNL_ARG_WORKSPACE, p->arguments.at(DNNL_ARG_WORKSPACE));
  q->add(DNNL_ARG_DIFF_SRC_LAYER, x);
  q->add(DNNL_ARG_DIFF_SRC_ITER, h);
  q->add(DNNL_ARG_DIFF_SRC_ITER_C, h);
  q->add(DNNL_ARG_DIFF_WEIGHTS_LAYER, backward.diff_weights_layer_desc());
  q->add(DNNL_ARG_DIFF_WEIGHTS_ITER, backward.diff_weights_iter_desc());
  q->add(DNNL_ARG_DIFF_BIAS, b);
  q->add(DNNL_ARG_DIFF_DST_LAYER, y);
  q->add(DNNL_ARG_DIFF_DST_ITER, h);
  q->add(DNNL_ARG_DIFF_DST_ITER_C, h);
  const dnnl::lstm_forward run_forward(forward);
  const dnnl::lstm_backward run_backward(backward);
  const auto scratch = [](const auto& d) {
    return static_cast<int64_t>(d.scratchpad_desc().get_size());
  };
  return {[=] { run_forward.execute(stream, p->arguments); },
          [=] { run_backward.execute(stream, q->arguments); },
          static_cast<int64_t>(forward.workspace_desc().get_size() + y.get_size()) +
              std::max(scratch(forward), scratch(backward))};
}

Call product() {
  constexpr int64_t kSize = 1024;
  auto gemm = std::make_shared<Gemm>(GemmProblem{.m = kSize, .n = kSize, .k = kSize});
  const Floats a = floats(kSize * kSize), b = floats(kSize * kSize), c = floats(kSize * kSize);
  const Floats scratch = floats(gemm->scratch_bytes() / 4 + 16);
  return [=] {
    gemm->run(a.get(), b.get(), c.get(), nullptr, reinterpret_cast<std::byte*>(scratch.get()));
  };
}
constexpr double kProductFlops = 2.0 * 1024 * 1024 * 1024;

double now(int threads) {
  timespec time;
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds(const Call& call, int threads, int64_t repeats) {
  const double start = now(threads);
  for (int64_t i = 0; i < repeats; ++i) call();
  return (now(threads) - start) / static_cast<double>(repeats);
}

// One program's times of all rounds.
struct Times {
  std::vector<double> all;
  double median() const {
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  double least() const { return *std::min_element(all.begin(), all.end()); }
};

struct Row {
  std::string name;
  int threads;
  Times forward, gradient, gemm, peer_forward, peer_gradient;
  double forward_flops, gradient_flops;
  int64_t bytes, peer_bytes;
};

Row measure(const Case& c, int threads, int rounds) {
  omp_set_num_threads(threads);
  set_thread_count(threads);
  const auto& [batch, steps, features, units] = c.sizes;
  const double state = 2.0 * static_cast<double>(batch * c.form.gates() * units * units);
  const double input = 2.0 * static_cast<double>(batch * c.form.gates() * units * features);
  const auto all_steps = static_cast<double>(steps);
  Row row = {c.name, threads, {}, {}, {}, {}, {}, 0, 0, 0, 0};
  row.forward_flops = state * (all_steps - 1) + input * all_steps;
  row.gradient_flops = 2 * state * (all_steps - 1) + input * all_steps;
  const Ours own = ours(c);
  Ours peer;
  if (c.form.is_lstm()) peer = peer_lstm(c);
  row.bytes = own.bytes, row.peer_bytes = peer.bytes;
  const Call gemm = product();
  std::vector<std::pair<Call, Times*>> calls = {
      {own.forward, &row.forward}, {own.gradient, &row.gradient}, {gemm, &row.gemm}};
  if (peer.forward) {
    calls.emplace_back(peer.forward, &row.peer_forward);
    calls.emplace_back(peer.gradient, &row.peer_gradient);
  }
  for (const auto& [call, times] : calls) call();
  const auto repeats = static_cast<int64_t>(2e-3 / seconds(own.forward, threads, 2)) + 1;
  for (int round = 0; round < rounds; ++round)
    for (const auto& [call, times] : calls)
      times->all.push_back(
          seconds(call, threads, call.target_type() == gemm.target_type() ? 1 : repeats));
  return row;
}

double share(double flops, const Times& times, const Times& gemm) {
  return flops / times.least() / (kProductFlops / gemm.least());
}

double time_ratio(const Row& row, double (Times::*which)() const) {
  return ((row.peer_forward.*which)() + (row.peer_gradient.*which)()) /
         ((row.forward.*which)() + (row.gradient.*which)());
}

void print(const Row& row) {
  std::printf("%-24s %d %9.0f %9.0f us  %5.0f%% %5.0f%%  %7.1f MiB", row.name.c_str(), row.threads,
              row.forward.median() * 1e6, row.gradient.median() * 1e6,
              100 * share(row.forward_flops, row.forward, row.gemm),
              100 * share(row.gradient_flops, row.gradient, row.gemm),
              static_cast<double>(row.bytes) / (1 << 20));
  if (row.peer_bytes > 0)
    std::printf("  %5.2f (%5.2f)  %5.2f", time_ratio(row, &Times::median),
                time_ratio(row, &Times::least),
                static_cast<double>(row.peer_bytes) / static_cast<double>(row.bytes));
  std::printf("\n");
  std::fflush(stdout);
}

void write_json(const std::vector<Row>& rows, const std::string& file) {
  std::ofstream out(file);
  out << "[\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    out << "  {\"case\": \"" << row.name << "\", \"threads\": " << row.threads
        << ", \"forward_seconds\": " << row.forward.median()
        << ", \"gradient_seconds\": " << row.gradient.median()
        << ", \"forward_share\": " << share(row.forward_flops, row.forward, row.gemm)
        << ", \"gradient_share\": " << share(row.gradient_flops, row.gradient, row.gemm)
        << ", \"bytes\": " << row.bytes;
    if (row.peer_bytes > 0)
      out << ", \"onednn_bytes\": " << row.peer_bytes
          << ", \"ratio_onednn\": " << time_ratio(row, &Times::median)
          << ", \"best_ratio_onednn\": " << time_ratio(row, &Times::least);
    out << (i + 1 < rows.size() ? "},\n" : "}\n");
  }
  out << "]\n";
}

struct Options {
  std::vector<int> threads;
  std::string only, json_file;
  int rounds = 11;
};

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i], value = words[i + 1];
    if (name == "--threads") options.threads.push_back(std::stoi(value));
    if (name == "--only") options.only = value;
    if (name == "--rounds") options.rounds = std::stoi(value);
    if (name == "--json") options.json_file = value;
  }
  if (options.threads.empty()) options.threads = {1, 2};
  return options;
}

int run(const Options& options) {
  std::printf("%-24s T   forward  gradient     share of GEMM      memory  oneDNN's time, memory\n",
              "case");
  std::vector<Row> rows;
  for (const int threads : options.threads)
    for (const Case& c : cases()) {
      if (std::string(c.name).find(options.only) == std::string::npos) continue;
      rows.push_back(measure(c, threads, options.rounds));
      print(rows.back());
    }
  if (!options.json_file.empty()) write_json(rows, options.json_file);
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int count, char** words) {
  return plimsoll::run(plimsoll::parse(count, words));
}
