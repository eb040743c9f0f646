#include "plimsoll/kernels/convolution/onednn_convolution.h"

#include <optional>
#include <string_view>

#include "plimsoll/kernels/convolution/onednn_version.h"

namespace plimsoll::kernels {
namespace {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;
using Tag = dnnl::memory::format_tag;

constexpr auto kFloat = dnnl::memory::data_type::f32;
constexpr auto kDirect = dnnl::algorithm::convolution_direct;

// A problem in oneDNN's words.
struct Words {
  Dims x, kernel, y, bias, strides, dilates, before, after;
  Dims kernel_strides;  // of (rows, columns, channels / groups, filters)

  explicit Words(const ConvolutionProblem& p)
      : x{p.batch, p.channels, p.rows.input, p.columns.input},
        y{p.batch, p.filters, p.rows.output, p.columns.output},
        bias{p.filters},
        strides{p.rows.stride, p.columns.stride},
        dilates{p.rows.dilation - 1, p.columns.dilation - 1},
        before{p.rows.before, p.columns.before},
        after{p.rows.after, p.columns.after} {
    const int64_t inputs = p.channels / p.groups, outputs = p.filters / p.groups;
    kernel = {outputs, inputs, p.rows.size, p.columns.size};
    kernel_strides = {1, p.filters, p.columns.size * inputs * p.filters, inputs * p.filters};
    if (p.is_volume) add_depth(p.depth, p.rows.size * kernel_strides[2]);
    if (p.groups == 1) return;
    kernel.insert(kernel.begin(), p.groups);
    kernel_strides.insert(kernel_strides.begin(), outputs);
  }

  // `stride` is from one slice of the kernel to the next.
  void add_depth(const WindowAxis& depth, int64_t stride) {
    x.insert(x.begin() + 2, depth.input);
    y.insert(y.begin() + 2, depth.output);
    kernel.insert(kernel.begin() + 2, depth.size);
    kernel_strides.insert(kernel_strides.begin() + 2, stride);
    strides.insert(strides.begin(), depth.stride);
    dilates.insert(dilates.begin(), depth.dilation - 1);
    before.insert(before.begin(), depth.before);
    after.insert(after.begin(), depth.after);
  }

  Desc given_kernel() const { return {kernel, kFloat, kernel_strides}; }
  Desc any_kernel() const { return {kernel, kFloat, Tag::any}; }
  Desc given_bias() const { return {bias, kFloat, Tag::x}; }
};

Tag row_major(const Dims& dims) {
  return dims.size() == 5 ? Tag::ndhwc : Tag::nhwc;
}

Desc images(const Dims& dims, Layout layout) {
  return {dims, kFloat,
          layout.is_plain()            ? row_major(dims)
          : layout.channel_block == 16 ? Tag::nChw16c
                                       : Tag::nChw8c};
}

// 2: generated code, 1: by way of a matrix product, 0: a plain loop.
template <class PrimitiveDesc>
int rank(const PrimitiveDesc& desc) {
  const std::string_view name = desc.impl_info_str();
  return name.find("ref") != name.npos ? 0 : name.find("gemm") != name.npos ? 1 : 2;
}

// Asks `make(x, y)` for a descriptor with both tensors row-major and with both in layouts of
// oneDNN's choice, and returns the better one; of equals, the one that needs no conversion.
template <class Make>
auto best_desc(const Words& words, const ConvolutionLayouts& layouts, const Make& make) {
  const bool plain = layouts.x.is_plain() && layouts.y.is_plain();
  const auto ask = [&](bool plain_tensors) {
    const Tag tag = plain_tensors ? row_major(words.x) : Tag::any;
    return make(Desc(words.x, kFloat, tag), Desc(words.y, kFloat, tag));
  };
  auto first = ask(plain);
  if (rank(first) == 2) return first;
  auto second = ask(!plain);
  auto best = rank(second) > rank(first) ? second : first;
  if (rank(best) == 1) prepare_matrix_products();
  return best;
}

auto forward_desc(const Words& words, const ConvolutionLayouts& layouts, bool bias) {
  return best_desc(words, layouts, [&](const Desc& x, const Desc& y) {
    using Forward = dnnl::convolution_forward;
    const auto kind = dnnl::prop_kind::forward_training;
    const Desc kernel = words.any_kernel();
    const auto ask = [&](const auto&... rest) {
      return onednn_desc<Forward>(onednn_engine(), onednn_attributes(), kind, kDirect, x, kernel,
                                  rest..., words.strides, words.dilates, words.before, words.after);
    };
    return bias ? ask(words.given_bias(), y) : ask(y);
  });
}

// Numbers per vector of oneDNN's code.
int64_t onednn_lanes() {
  return dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx512_core ? 16 : 8;
}

// oneDNN 2.6 computes the kernel gradient of such a convolution wrongly from row-major tensors: it
// skips pixels of channels that do not fill its vectors.
bool is_wrong_in_rows(const ConvolutionProblem& p) {
  const bool is_point = p.rows.size == 1 && p.columns.size == 1 && p.depth.size == 1;
  const bool skips = p.rows.stride > 1 || p.columns.stride > 1 || p.depth.stride > 1;
  return is_point && skips && p.channels % onednn_lanes() != 0;
}

// The layout that `desc` describes, if the graph has such a layout.
std::optional<Layout> blocked_layout(const Desc& desc, const Dims& dims) {
  constexpr size_t kChannels = 1;  // the axis
  for (const int32_t block : {8, 16}) {
    const Layout layout = Layout::blocked(block);
    if (dims[kChannels] % block == 0 && desc == images(dims, layout)) return layout;
  }
  return std::nullopt;
}

}  // namespace

// Measured on AVX2, one thread, against blocks of 8 for both: row-major 0.6-0.9 of the speed where
// both numbers of channels are multiples of 8, 1.0-1.8 where they are not. With few channels oneDNN
// wants x in planes, one per channel: converting that small x is cheaper than a row-major y.
ConvolutionLayouts convolution_layouts(const ConvolutionProblem& problem) {
  if (problem.is_volume) return {};
  const Words words(problem);
  const auto desc = forward_desc(words, {Layout::blocked(8), Layout::blocked(8)}, false);
  const auto x = blocked_layout(desc.src_desc(), words.x);
  const auto y = blocked_layout(desc.dst_desc(), words.y);
  const bool planes = desc.src_desc() == Desc(words.x, kFloat, Tag::nchw);
  if (rank(desc) < 2 || !y || (!x && !planes)) return {};
  return {x.value_or(Layout::plain()), *y};
}

OneDnnPrimitive onednn_convolution(const ConvolutionProblem& problem,
                                   const ConvolutionLayouts& layouts, bool bias) {
  const Words words(problem);
  const auto desc = forward_desc(words, layouts, bias);
  std::vector<OneDnnBinding> bindings = {
      {DNNL_ARG_SRC, false, images(words.x, layouts.x), desc.src_desc()},
      {DNNL_ARG_WEIGHTS, false, words.given_kernel(), desc.weights_desc(), true}};
  if (bias) bindings.push_back({DNNL_ARG_BIAS, false, words.given_bias(), words.given_bias()});
  bindings.push_back({DNNL_ARG_DST, true, images(words.y, layouts.y), desc.dst_desc()});
  return {dnnl::convolution_forward(desc), desc.scratchpad_desc(), bindings};
}

OneDnnPrimitive onednn_convolution_input_gradient(const ConvolutionProblem& problem,
                                                  const ConvolutionLayouts& layouts) {
  using Backward = dnnl::convolution_backward_data;
  const Words words(problem);
  const auto hint = forward_desc(words, layouts, false);
  const auto desc = best_desc(words, layouts, [&](const Desc& x, const Desc& y) {
    return onednn_gradient_desc<Backward>(onednn_engine(), onednn_attributes(), hint, kDirect, x,
                                          words.any_kernel(), y, words.strides, words.dilates,
                                          words.before, words.after);
  });
  return {Backward(desc),
          desc.scratchpad_desc(),
          {{DNNL_ARG_WEIGHTS, false, words.given_kernel(), desc.weights_desc(), true},
           {DNNL_ARG_DIFF_DST, false, images(words.y, layouts.y), desc.diff_dst_desc()},
           {DNNL_ARG_DIFF_SRC, true, images(words.x, layouts.x), desc.diff_src_desc()}}};
}

OneDnnPrimitive onednn_convolution_kernel_gradient(const ConvolutionProblem& problem,
                                                   const ConvolutionLayouts& layouts, bool bias) {
  using Backward = dnnl::convolution_backward_weights;
  const Words words(problem);
  const auto hint = forward_desc(words, layouts, bias);
  const auto make = [&](const Desc& x, const Desc& y) {
    const Desc kernel = words.any_kernel();
    const auto ask = [&](const auto&... rest) {
      return onednn_gradient_desc<Backward>(onednn_engine(), onednn_attributes(), hint, kDirect, x,
                                            kernel, rest..., words.strides, words.dilates,
                                            words.before, words.after);
    };
    return bias ? ask(words.given_bias(), y) : ask(y);
  };
  const Tag blocks = problem.is_volume ? Tag::nCdhw8c : Tag::nChw8c;
  const auto desc = is_wrong_in_rows(problem)
                        ? make({words.x, kFloat, blocks}, {words.y, kFloat, blocks})
                        : best_desc(words, layouts, make);
  std::vector<OneDnnBinding> bindings = {
      {DNNL_ARG_SRC, false, images(words.x, layouts.x), desc.src_desc()},
      {DNNL_ARG_DIFF_DST, false, images(words.y, layouts.y), desc.diff_dst_desc()},
      {DNNL_ARG_DIFF_WEIGHTS, true, words.given_kernel(), desc.diff_weights_desc()}};
  if (bias) bindings.push_back({DNNL_ARG_DIFF_BIAS, true, words.given_bias(), words.given_bias()});
  return {Backward(desc), desc.scratchpad_desc(), bindings};
}

}  // namespace plimsoll::kernels
