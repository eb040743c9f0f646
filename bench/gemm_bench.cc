// Our GEMM against oneDNN (and OpenBLAS, where its library is named), interleaved in one run.
//
//   gemm_bench [--threads N]... [--only TEXT] [--rounds N] [--blas libopenblas.so] [--json FILE]
//
// Ratios are speed of ours to speed of the peer: above 1 we are faster. The first is the median
// over rounds; the one in brackets is of the best rounds, for a machine that others use. oneDNN
// multiplies batches with its matmul primitive, single matrices with dnnl_sgemm. OpenBLAS built on
// its own threads keeps them spinning after a call, which slows whoever runs next: name an OpenMP
// build.
#include <dlfcn.h>
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

namespace {

using plimsoll::kernels::Gemm;
using plimsoll::kernels::GemmProblem;

struct Shape {
  const char* name;
  GemmProblem problem;
};

GemmProblem product(int64_t m, int64_t n, int64_t k, bool transpose_a = false,
                    bool transpose_b = false) {
  return {.m = m, .n = n, .k = k, .transpose_a = transpose_a, .transpose_b = transpose_b};
}

GemmProblem batched(int64_t batch, GemmProblem p) {
  p.batch = batch;
  p.stride_a = p.m * p.k, p.stride_b = p.k * p.n, p.stride_c = p.m * p.n;
  return p;
}

GemmProblem with_lda(GemmProblem p, int64_t lda) {
  p.lda = lda;
  return p;
}

std::vector<Shape> shapes() {
  return {
      {"square", product(2048, 2048, 2048)},
      {"square_at", product(2048, 2048, 2048, true)},
      {"square_bt", product(2048, 2048, 2048, false, true)},
      {"mlp_forward_1", product(128, 512, 784)},
      {"mlp_forward_2", product(128, 512, 512)},
      {"mlp_forward_3", product(128, 10, 512)},
      {"mlp_weights_1", product(784, 512, 128, true)},
      {"mlp_weights_2", product(512, 512, 128, true)},
      {"mlp_weights_3", product(512, 10, 128, true)},
      {"mlp_data_1", product(128, 784, 512, false, true)},
      {"mlp_data_2", product(128, 512, 512, false, true)},
      {"mlp_data_3", product(128, 512, 10, false, true)},
      {"lstm_forward", product(512, 1024, 512)},
      {"lstm_weights", with_lda(product(512, 1024, 512, true), 1024)},
      {"lstm_weights_t", product(1024, 512, 512, true)},
      {"lstm_data", product(512, 512, 1024, false, true)},
      {"skinny_forward", product(32, 10, 394272)},
      {"skinny_weights", product(394272, 10, 32, true)},
      {"skinny_data", product(32, 394272, 10, false, true)},
      {"attention_scores", batched(64, product(128, 128, 64, false, true))},
      {"attention_values", batched(64, product(128, 64, 128))},
      {"attention_grad_a", batched(64, product(128, 64, 128, true))},
      {"gemv_small", product(1, 512, 512)},
      {"gemv", product(1, 4096, 4096)},
      {"gemv_bt", product(1, 4096, 4096, false, true)},
      {"matrix_vector", product(4096, 1, 4096)},
      {"matrix_vector_at", product(4096, 1, 4096, true)},
      {"small", product(32, 128, 64)},
  };
}

int64_t lda(const GemmProblem& p) {
  return p.lda ? p.lda : p.transpose_a ? p.m : p.k;
}
int64_t ldb(const GemmProblem& p) {
  return p.ldb ? p.ldb : p.transpose_b ? p.k : p.n;
}

using Floats = std::unique_ptr<float, decltype(&std::free)>;

// Memory as the engine's arena has it: in huge pages, and touched.
Floats floats(int64_t count) {
  constexpr size_t kHugePage = size_t{2} << 20;
  const size_t bytes = (static_cast<size_t>(count) * sizeof(float) / kHugePage + 1) * kHugePage;
  Floats memory(static_cast<float*>(std::aligned_alloc(kHugePage, bytes)), &std::free);
  madvise(memory.get(), bytes, MADV_HUGEPAGE);
  for (int64_t i = 0; i < count; ++i)
    memory.get()[i] = static_cast<float>(i * 7919 % 1009) / 1009.0f - 0.5f;
  return memory;
}

struct Operands {
  Floats a, b, c;
};

Operands operands(const GemmProblem& p) {
  const int64_t a = (p.transpose_a ? p.k : p.m) * lda(p), b = (p.transpose_b ? p.n : p.k) * ldb(p);
  return {floats(p.batch * a), floats(p.batch * b), floats(p.batch * p.m * p.n)};
}

using Call = std::function<void()>;

Call ours(const GemmProblem& p, Operands& o) {
  auto gemm = std::make_shared<Gemm>(p);
  std::shared_ptr<float> scratch = floats(gemm->scratch_bytes() / 4 + 16);
  return [=, &o] {
    gemm->run(o.a.get(), o.b.get(), o.c.get(), nullptr,
              reinterpret_cast<std::byte*>(scratch.get()));
  };
}

Call onednn_batch(const GemmProblem& p, Operands& o) {
  using dnnl::memory;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  const auto strides = [](int64_t batch, int64_t leading, bool transposed) {
    return transposed ? memory::dims{batch, 1, leading} : memory::dims{batch, leading, 1};
  };
  const memory::desc a({p.batch, p.m, p.k}, memory::data_type::f32,
                       strides(p.stride_a, lda(p), p.transpose_a));
  const memory::desc b({p.batch, p.k, p.n}, memory::data_type::f32,
                       strides(p.stride_b, ldb(p), p.transpose_b));
  const memory::desc c({p.batch, p.m, p.n}, memory::data_type::f32,
                       strides(p.stride_c, p.n, false));
  const dnnl::matmul matmul(plimsoll::kernels::onednn_desc<dnnl::matmul>(cpu, {}, a, b, c));
  const dnnl::stream stream(cpu);
  const std::unordered_map<int, memory> arguments = {{DNNL_ARG_SRC, memory(a, cpu, o.a.get())},
                                                     {DNNL_ARG_WEIGHTS, memory(b, cpu, o.b.get())},
                                                     {DNNL_ARG_DST, memory(c, cpu, o.c.get())}};
  return [=] { matmul.execute(stream, arguments); };
}

Call onednn(const GemmProblem& p, Operands& o) {
  if (p.batch > 1) return onednn_batch(p, o);
  return [=, &o] {
    dnnl_sgemm(p.transpose_a ? 'T' : 'N', p.transpose_b ? 'T' : 'N', p.m, p.n, p.k, 1.0f, o.a.get(),
               lda(p), o.b.get(), ldb(p), 0.0f, o.c.get(), p.n);
  };
}

// OpenBLAS by the names of its C interface.
struct Blas {
  void (*sgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);
  void (*set_threads)(int);
};

Call blas(const Blas& library, const GemmProblem& p, Operands& o) {
  return [=, &o] {
    for (int64_t item = 0; item < p.batch; ++item)
      library.sgemm(101, p.transpose_a ? 112 : 111, p.transpose_b ? 112 : 111,
                    static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k), 1.0f,
                    o.a.get() + item * p.stride_a, static_cast<int>(lda(p)),
                    o.b.get() + item * p.stride_b, static_cast<int>(ldb(p)), 0.0f,
                    o.c.get() + item * p.stride_c, static_cast<int>(p.n));
  };
}

// Processor time for one thread, which other programs on the machine disturb less; else wall time.
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

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

// Median over the rounds of the peer's time in units of ours: both ran within milliseconds.
double speed_ratio(const std::vector<double>& ours, const std::vector<double>& peer) {
  std::vector<double> ratios;
  for (size_t i = 0; i < ours.size(); ++i) ratios.push_back(peer[i] / ours[i]);
  return median(ratios);
}

struct Options {
  std::vector<int> threads;
  std::string only, blas_file, json_file;
  int rounds = 31;
};

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i], value = words[i + 1];
    if (name == "--threads") options.threads.push_back(std::stoi(value));
    if (name == "--only") options.only = value;
    if (name == "--rounds") options.rounds = std::stoi(value);
    if (name == "--blas") options.blas_file = value;
    if (name == "--json") options.json_file = value;
  }
  if (options.threads.empty()) options.threads = {1, 2};
  return options;
}

Blas load_blas(const std::string& file) {
  void* handle = file.empty() ? nullptr : dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return {};
  Blas library;
  library.sgemm = reinterpret_cast<decltype(library.sgemm)>(dlsym(handle, "cblas_sgemm"));
  library.set_threads =
      reinterpret_cast<decltype(library.set_threads)>(dlsym(handle, "openblas_set_num_threads"));
  return library;
}

struct Row {
  std::string name;
  int threads;
  std::vector<double> ours, onednn, blas;
  double flops;
};

Row measure(const Shape& shape, int threads, const Blas& library, int rounds) {
  if (library.set_threads) library.set_threads(threads);
  omp_set_num_threads(threads);  // OpenBLAS's call may have changed it
  plimsoll::set_thread_count(threads);
  const GemmProblem& p = shape.problem;
  Operands o = operands(p);
  std::vector<Call> calls = {ours(p, o), onednn(p, o)};
  if (library.sgemm) calls.push_back(blas(library, p, o));
  for (const Call& call : calls) call();
  const auto repeats = static_cast<int64_t>(1e-3 / seconds(calls[0], threads, 3)) + 1;
  std::vector<std::vector<double>> times(3);
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < calls.size(); ++i)
      times[i].push_back(seconds(calls[i], threads, repeats));
  const double flops = 2.0 * static_cast<double>(p.m * p.n * p.k * p.batch);
  return {shape.name, threads, times[0], times[1], times[2], flops};
}

void print(const Row& row) {
  const auto rate = [&](double time) { return row.flops / time / 1e9; };
  std::printf("%-18s %d  %10.1f us  %6.1f (%6.1f)  %6.1f (%6.1f)  %5.2f (%5.2f)", row.name.c_str(),
              row.threads, median(row.ours) * 1e6, rate(median(row.ours)), rate(least(row.ours)),
              rate(median(row.onednn)), rate(least(row.onednn)), speed_ratio(row.ours, row.onednn),
              least(row.onednn) / least(row.ours));
  if (!row.blas.empty())
    std::printf("  %6.1f (%6.1f)  %5.2f (%5.2f)", rate(median(row.blas)), rate(least(row.blas)),
                speed_ratio(row.ours, row.blas), least(row.blas) / least(row.ours));
  std::printf("\n");
  std::fflush(stdout);
}

void write_json(const std::vector<Row>& rows, const std::string& file) {
  std::ofstream out(file);
  out << "[\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    out << "  {\"shape\": \"" << row.name << "\", \"threads\": " << row.threads
        << ", \"ours_seconds\": " << median(row.ours)
        << ", \"ours_gflops\": " << row.flops / median(row.ours) / 1e9
        << ", \"onednn_gflops\": " << row.flops / median(row.onednn) / 1e9
        << ", \"ratio_onednn\": " << speed_ratio(row.ours, row.onednn)
        << ", \"best_ratio_onednn\": " << least(row.onednn) / least(row.ours);
    if (!row.blas.empty()) out << ", \"ratio_blas\": " << speed_ratio(row.ours, row.blas);
    out << (i + 1 < rows.size() ? "},\n" : "}\n");
  }
  out << "]\n";
}

}  // namespace

int main(int count, char** words) {
  const Options options = parse(count, words);
  const Blas library = load_blas(options.blas_file);
  std::printf("GFLOP/s, median (best)\n%-18s %s  %13s  %15s  %15s  ratio (best)%s\n", "shape", "T",
              "ours, time", "ours", "oneDNN",
              library.sgemm ? "             BLAS  ratio (best)" : "");
  std::vector<Row> rows;
  for (int threads : options.threads)
    for (const Shape& shape : shapes()) {
      if (std::string(shape.name).find(options.only) == std::string::npos) continue;
      rows.push_back(measure(shape, threads, library, options.rounds));
      print(rows.back());
    }
  if (!options.json_file.empty()) write_json(rows, options.json_file);
}
