// Convolutions (and what surrounds them) as the engine runs them, against oneDNN alone in the
// layouts that it likes and in row-major, interleaved in one run.
//
//   convolution_bench [--threads N] [--only TEXT] [--rounds N] [--json FILE]
//
// Ratios are speed of ours to speed of the peer: above 1 we are faster. Ours includes the packing
// of weights; oneDNN alone has them packed beforehand and reads and writes its own layouts.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/kernels/convolution/onednn_version.h"
#include "plimsoll/ops/convolution/convolution_gradients.h"
#include "plimsoll/ops/convolution/convolution_pooling.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "plimsoll/ops/convolution/pooling_fusion.h"
#include "plimsoll/ops/movement/reorder.h"
#include "plimsoll/ops/normalization/normalization.h"

namespace {

using namespace plimsoll;
using Call = std::function<void()>;

// An op with its tensors, in the layouts that it asks for when it is offered `offered`.
Call compile(OpPtr op, const Specs& inputs, std::vector<Layout> offered = {}) {
  struct Run {
    OpPtr op;
    KernelPtr kernel;
    std::vector<std::unique_ptr<Storage>> storage;
    std::vector<std::byte*> inputs, outputs;
    std::byte* add(int64_t bytes) {
      storage.push_back(std::make_unique<Storage>(bytes + 64));
      storage.back()->touch();
      return storage.back()->data();
    }
  };
  auto run = std::make_shared<Run>();
  run->op = op;
  offered.resize(inputs.size());
  const Specs outputs = op->infer(inputs);
  const LayoutChoice layouts = op->layouts(inputs, outputs, offered);
  run->kernel = op->kernel({inputs, outputs, layouts.inputs, layouts.outputs});
  for (const Spec& spec : inputs) {
    std::byte* data = run->inputs.emplace_back(run->add(spec.bytes()));
    for (int64_t i = 0; i < spec.shape.elements(); ++i)
      if (spec.dtype == DType::float32)
        reinterpret_cast<float*>(data)[i] = static_cast<float>(i * 7919 % 1009) / 1009.0f - 0.5f;
      else
        data[i] = static_cast<std::byte>(i * 7919 % 1009 % 4);
  }
  for (const Spec& spec : outputs) run->outputs.push_back(run->add(spec.bytes()));
  std::byte* scratch = run->add(run->kernel->scratch_bytes());
  return [run, scratch] { run->kernel->run({run->inputs.data(), run->outputs.data(), scratch}); };
}

enum class Direction { forward, input_gradient, kernel_gradient };

struct Convolution {
  const char* name;
  Shape x, kernel;
  ConvolutionOptions options = {};
};

Call ours(const Convolution& c, Direction direction) {
  const Spec x{{}, c.x}, kernel{{}, c.kernel}, bias{{}, {c.kernel[3]}};
  const Spec y{{}, y_shape(convolution_problem(c.x, c.kernel, c.options))};
  const auto op_of = [](const Tensor& tensor) { return tensor.value().node->op; };
  if (direction == Direction::forward)
    return compile(conv2d_op({c.options, true, false}), {x, kernel, bias});
  if (direction == Direction::input_gradient)
    return compile(op_of(convolution_input_gradient<2>(placeholder(kernel), placeholder(y),
                                                       {c.x[1], c.x[2]}, c.options)),
                   {kernel, y});
  return compile(op_of(convolution_kernel_gradient<2>(placeholder(x), placeholder(y),
                                                      {c.kernel[0], c.kernel[1]}, c.options, true)
                           .kernel),
                 {x, y});
}

// oneDNN alone, x and y both in `tag`.
Call onednn(const Convolution& c, Direction direction, dnnl::memory::format_tag tag) {
  using namespace dnnl;
  const auto problem = convolution_problem(c.x, c.kernel, c.options);
  const auto& [rows, columns] = std::pair(problem.rows, problem.columns);
  const auto kind = memory::data_type::f32;
  const auto any = memory::format_tag::any;
  const memory::desc x({c.x[0], c.x[3], c.x[1], c.x[2]}, kind, tag);
  const memory::desc w({c.kernel[3], c.kernel[2], c.kernel[0], c.kernel[1]}, kind, any);
  const memory::desc b({c.kernel[3]}, kind, memory::format_tag::x);
  const memory::desc y({c.x[0], c.kernel[3], rows.output, columns.output}, kind, tag);
  const memory::dims strides = {rows.stride, columns.stride},
                     before = {rows.before, columns.before};
  const memory::dims after = {rows.after, columns.after};
  const engine cpu(engine::kind::cpu, 0);
  const stream queue(cpu);
  const auto direct = algorithm::convolution_direct;
  const auto make = [cpu](const memory::desc& desc) {
    memory answer(desc, cpu);
    std::fill_n(static_cast<float*>(answer.get_data_handle()), desc.get_size() / 4, 0.25f);
    return answer;
  };
  const auto forward = kernels::onednn_desc<convolution_forward>(
      cpu, {}, prop_kind::forward_training, direct, x, w, b, y, strides, before, after);
  if (direction == Direction::forward) {
    const convolution_forward primitive(forward);
    const std::unordered_map<int, memory> arguments = {
        {DNNL_ARG_SRC, make(forward.src_desc())},
        {DNNL_ARG_WEIGHTS, make(forward.weights_desc())},
        {DNNL_ARG_BIAS, make(b)},
        {DNNL_ARG_DST, make(forward.dst_desc())}};
    return [=] { primitive.execute(queue, arguments); };
  }
  if (direction == Direction::input_gradient) {
    const auto desc = kernels::onednn_gradient_desc<convolution_backward_data>(
        cpu, {}, forward, direct, x, w, y, strides, before, after);
    const convolution_backward_data primitive(desc);
    const std::unordered_map<int, memory> arguments = {
        {DNNL_ARG_DIFF_SRC, make(desc.diff_src_desc())},
        {DNNL_ARG_WEIGHTS, make(desc.weights_desc())},
        {DNNL_ARG_DIFF_DST, make(desc.diff_dst_desc())}};
    return [=] { primitive.execute(queue, arguments); };
  }
  const auto desc = kernels::onednn_gradient_desc<convolution_backward_weights>(
      cpu, {}, forward, direct, x, w, b, y, strides, before, after);
  const convolution_backward_weights primitive(desc);
  const std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, make(desc.src_desc())},
      {DNNL_ARG_DIFF_WEIGHTS, make(desc.diff_weights_desc())},
      {DNNL_ARG_DIFF_BIAS, make(b)},
      {DNNL_ARG_DIFF_DST, make(desc.diff_dst_desc())}};
  return [=] { primitive.execute(queue, arguments); };
}

struct Contestant {
  std::string name;
  Call call;
};

// What is compared: the first contestant is ours.
struct Contest {
  std::string name;
  double work = 0;  // floating-point operations or bytes of a call
  const char* unit = "GFLOP/s";
  std::function<std::vector<Contestant>()> contestants;
};

std::vector<Contest> convolutions() {
  std::vector<Contest> contests;
  for (const Convolution& c : std::vector<Convolution>{
           {"photos", {32, 224, 224, 3}, {3, 3, 3, 32}},
           {"fashion_1", {64, 28, 28, 1}, {3, 3, 1, 32}},
           {"fashion_2", {64, 13, 13, 32}, {3, 3, 32, 64}},
           {"odd_channels", {32, 28, 28, 12}, {3, 3, 12, 24}, {.padding = Padding::same}},
           {"resnet_stem",
            {8, 224, 224, 3},
            {7, 7, 3, 64},
            {.strides = {2, 2}, .padding = Padding::same}},
           {"resnet_64", {8, 56, 56, 64}, {3, 3, 64, 64}, {.padding = Padding::same}},
           {"resnet_256", {8, 14, 14, 256}, {3, 3, 256, 256}, {.padding = Padding::same}},
           {"pointwise", {8, 28, 28, 256}, {1, 1, 256, 64}}}) {
    const Shape y = y_shape(convolution_problem(c.x, c.kernel, c.options));
    const double work = 2.0 * static_cast<double>(y.elements() * c.kernel.elements(0, 3));
    for (const auto& [suffix, direction] :
         std::vector<std::pair<const char*, Direction>>{{"_forward", Direction::forward},
                                                        {"_input", Direction::input_gradient},
                                                        {"_kernel", Direction::kernel_gradient}})
      contests.push_back(
          {std::string(c.name) + suffix, work, "GFLOP/s", [c, direction = direction] {
             return std::vector<Contestant>{
                 {"ours", ours(c, direction)},
                 {"onednn_any", onednn(c, direction, dnnl::memory::format_tag::any)},
                 {"onednn_nhwc", onednn(c, direction, dnnl::memory::format_tag::nhwc)}};
           }});
  }
  return contests;
}

Call in_turn(std::vector<Call> calls) {
  return [calls] {
    for (const Call& call : calls) call();
  };
}

// conv2d with relu, then max_pool2d: fused against one after the other.
std::vector<Contest> fusions() {
  std::vector<Contest> contests;
  for (const Convolution& c : std::vector<Convolution>{
           {"photos_pooled", {32, 224, 224, 3}, {3, 3, 3, 32}},
           {"fashion_1_pooled", {64, 28, 28, 1}, {3, 3, 1, 32}},
           {"fashion_2_pooled", {64, 13, 13, 32}, {3, 3, 32, 64}},
           {"vgg_64_pooled", {8, 112, 112, 64}, {3, 3, 64, 64}, {.padding = Padding::same}},
           {"vgg_256_pooled", {8, 28, 28, 256}, {3, 3, 256, 256}, {.padding = Padding::same}}}) {
    const Spec x{{}, c.x}, kernel{{}, c.kernel}, bias{{}, {c.kernel[3]}};
    const Spec between{{}, y_shape(convolution_problem(c.x, c.kernel, c.options))};
    const ConvolutionPooling fused{c.options, {}, true};
    const Specs y = max_pool2d_op({})->infer(std::span(&between, 1));
    const double work =
        2.0 * static_cast<double>(between.shape.elements() * c.kernel.elements(0, 3));
    const std::vector<Layout> blocked(3, Layout::blocked(8));
    contests.push_back(
        {std::string(c.name) + "_forward", work, "GFLOP/s", [=] {
           return std::vector<Contestant>{
               {"fused", compile(conv2d_relu_max_pool_op(fused), {x, kernel, bias})},
               {"unfused", in_turn({compile(conv2d_op({c.options, true, true}), {x, kernel, bias}),
                                    compile(max_pool2d_op({}), {between}, blocked)})}};
         }});
    const auto expand = [=] {
      return compile(max_pool2d_gradient(placeholder(y[1]), placeholder(y[0]),
                                         {between.shape[1], between.shape[2]}, {})
                         .value()
                         .node->op,
                     {y[1], y[0]}, blocked);
    };
    contests.push_back(
        {std::string(c.name) + "_kernel", work, "GFLOP/s", [=] {
           return std::vector<Contestant>{
               {"fused",
                compile(conv2d_relu_max_pool_kernel_gradient_op(fused, {c.kernel[0], c.kernel[1]}),
                        {x, y[1], y[0]}, blocked)},
               {"unfused", in_turn({expand(), ours(c, Direction::kernel_gradient)})}};
         }});
    contests.push_back(
        {std::string(c.name) + "_input", work, "GFLOP/s", [=] {
           return std::vector<Contestant>{
               {"fused", compile(conv2d_relu_max_pool_input_gradient_op(fused, {c.x[1], c.x[2]}),
                                 {kernel, y[1], y[0]}, blocked)},
               {"unfused", in_turn({expand(), ours(c, Direction::input_gradient)})}};
         }});
  }
  return contests;
}

// Ops that only move memory: blocks of 8 against row-major, in bytes that must be moved.
std::vector<Contest> movements() {
  const Spec x{{}, {16, 112, 112, 32}}, channels{{}, {32}};
  const Specs pooled = max_pool2d_op({})->infer(std::span(&x, 1));
  const auto bytes = static_cast<double>(x.bytes()), small = static_cast<double>(pooled[0].bytes());
  const auto op_of = [](const Tensor& tensor) { return tensor.value().node->op; };
  const auto normalized =
      batch_normalize(placeholder(x), placeholder(channels), placeholder(channels), 1e-3);
  const Node& node = *normalized.y.value().node;
  const auto both = [](const OpPtr& op, const Specs& inputs) {
    return [op, inputs] {
      std::vector<Layout> blocked;
      for (const Spec& spec : inputs)
        blocked.push_back(spec.shape.rank() > 1 ? Layout::blocked(8) : Layout::plain());
      return std::vector<Contestant>{{"blocked", compile(op, inputs, blocked)},
                                     {"plain", compile(op, inputs)}};
    };
  };
  return {
      {"max_pool", bytes + small * 1.25, "GB/s", both(max_pool2d_op({}), {x})},
      {"max_pool_3x3", bytes + small * 1.25, "GB/s",
       both(max_pool2d_op({{3, 3}, {2, 2}, Padding::same}), {x})},
      {"max_pool_gradient", bytes + small * 1.25, "GB/s",
       both(op_of(max_pool2d_gradient(placeholder(pooled[1]), placeholder(pooled[0]), {112, 112},
                                      {})),
            {pooled[1], pooled[0]})},
      {"average_pool", bytes + small, "GB/s", both(op_of(average_pool2d(placeholder(x))), {x})},
      {"batch_normalize", 4 * bytes, "GB/s", both(node.op, {x, channels, channels})},
      {"batch_normalize_gradient", 5 * bytes, "GB/s",
       both(op_of(node.op->gradient(node, {placeholder(x), {}, {}})[0]),
            {x, channels, channels, channels, x})},
      {"reorder", 2 * bytes, "GB/s",
       [=] {
         const Layout blocked = Layout::blocked(8), plain;
         return std::vector<Contestant>{{"to_blocks", compile(reorder_op(plain, blocked), {x})},
                                        {"to_rows", compile(reorder_op(blocked, plain), {x})}};
       }},
  };
}

// Processor time for one thread, which other programs on the machine disturb less; else wall time.
double now() {
  timespec time;
  clock_gettime(thread_count() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Options {
  int threads = 2, rounds = 11;
  std::string only, json_file;
};

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i], value = words[i + 1];
    if (name == "--threads") options.threads = std::stoi(value);
    if (name == "--rounds") options.rounds = std::stoi(value);
    if (name == "--only") options.only = value;
    if (name == "--json") options.json_file = value;
  }
  return options;
}

// Prints a line and answers it as a member of a JSON object.
std::string measure(const Contest& contest, int rounds) {
  const std::vector<Contestant> all = contest.contestants();
  std::vector<std::vector<double>> times(all.size());
  for (const Contestant& contestant : all) contestant.call();
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < all.size(); ++i) {
      const double start = now();
      all[i].call();
      times[i].push_back(now() - start);
    }
  std::printf("%-26s", contest.name.c_str());
  std::string json = "\"" + contest.name + "\": {";
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<double> ratios;
    for (size_t r = 0; r < times[i].size(); ++r) ratios.push_back(times[i][r] / times[0][r]);
    const double typical = median(times[i]), least = *std::ranges::min_element(times[i]);
    std::printf("  %s %.3f ms %.1f %s", all[i].name.c_str(), typical * 1e3,
                contest.work / least * 1e-9, contest.unit);
    if (i > 0) std::printf(" (%.2fx)", median(ratios));
    json += (i ? ", \"" : "\"") + all[i].name +
            "\": {\"median_seconds\": " + std::to_string(typical) +
            ", \"least_seconds\": " + std::to_string(least) +
            ", \"ratio\": " + std::to_string(median(ratios)) + "}";
  }
  std::printf("\n");
  std::fflush(stdout);
  return json + "}";
}

}  // namespace

int main(int count, char** words) {
  const Options options = parse(count, words);
  set_thread_count(options.threads);
  std::string json;
  for (const auto& contests : {convolutions(), fusions(), movements()})
    for (const Contest& contest : contests) {
      if (contest.name.find(options.only) == std::string::npos) continue;
      json += (json.empty() ? "{" : ",\n ") + measure(contest, options.rounds);
    }
  if (!options.json_file.empty()) std::ofstream(options.json_file) << json << "}\n";
}
