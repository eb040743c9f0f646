#include "plimsoll/kernels/convolution/onednn_primitive.h"

#include <fmt/format.h>

#include <omp.h>

#include <algorithm>
#include <optional>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/vector_target.h"

namespace plimsoll::kernels {
namespace {

using Desc = dnnl::memory::desc;

int64_t aligned_bytes(const Desc& desc) {
  constexpr int64_t kAlignment = 64;
  return (static_cast<int64_t>(desc.get_size()) + kAlignment - 1) / kAlignment * kAlignment;
}

dnnl::stream& onednn_stream() {
  static dnnl::stream stream(onednn_engine());
  return stream;
}

// A conversion of fewer bytes takes less time than a fork.
constexpr size_t kSmallBytes = 1 << 18;

bool is_small(const Desc& desc) {
  return desc.get_size() < kSmallBytes;
}

dnnl::reorder::primitive_desc reorder_between(const Desc& from, const Desc& to) {
  const OneThread guard(is_small(from));
  return {onednn_engine(), from, onednn_engine(), to, onednn_attributes()};
}

}  // namespace

const dnnl::engine& onednn_engine() {
  static const dnnl::engine engine = [] {
    limit_vector_target();
    dnnl::set_primitive_cache_capacity(0);
    return dnnl::engine(dnnl::engine::kind::cpu, 0);
  }();
  return engine;
}

void prepare_matrix_products() {
  static const bool is_ready = [] {
    constexpr int64_t kSize = 192;  // enough to be cut into blocks, as large ones are
    const std::vector<float> ones(kSize * kSize, 1.0f);
    std::vector<float> product(kSize * kSize);
    dnnl::sgemm('N', 'T', kSize, kSize, kSize, 1, ones.data(), kSize, ones.data(), kSize, 0,
                product.data(), kSize);
    return true;
  }();
  static_cast<void>(is_ready);
}

dnnl::primitive_attr onednn_attributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

OneThread::OneThread(bool active) : active_(active) {
  if (active_) omp_set_num_threads(1);
}

OneThread::~OneThread() {
  if (active_) omp_set_num_threads(thread_count());
}

OneDnnPrimitive::OneDnnPrimitive(const dnnl::primitive& primitive, const Desc& scratchpad,
                                 const std::vector<OneDnnBinding>& bindings) {
  using Conversion = std::optional<dnnl::reorder::primitive_desc>;
  std::vector<Conversion> conversions;
  int64_t offset = aligned_bytes(scratchpad);  // all stages share one scratchpad at the start
  for (const OneDnnBinding& binding : bindings) {
    Conversion& conversion = conversions.emplace_back();
    if (binding.given == binding.wanted) continue;
    conversion = binding.is_output ? reorder_between(binding.wanted, binding.given)
                                   : reorder_between(binding.given, binding.wanted);
    offset = std::max(offset, aligned_bytes(conversion->scratchpad_desc()));
  }

  struct Output {
    dnnl_memory_t from = nullptr, to = nullptr;
  };
  std::vector<dnnl_exec_arg_t> arguments;
  std::vector<Output> outputs(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    const OneDnnBinding& binding = bindings[i];
    const int caller = static_cast<int>(i);
    if (!conversions[i]) {
      arguments.push_back({binding.argument, place(binding.wanted, caller, 0)});
      continue;
    }
    const dnnl_memory_t given = place(binding.given, caller, 0);
    const dnnl_memory_t wanted = place(binding.wanted, -1, offset);
    offset += aligned_bytes(binding.wanted);
    arguments.push_back({binding.argument, wanted});
    if (binding.is_output)
      outputs[i] = {wanted, given};
    else
      add_conversion(*conversions[i], given, wanted, binding.constant);
  }
  add_stage(primitive, scratchpad, std::move(arguments));
  for (size_t i = 0; i < bindings.size(); ++i)
    if (outputs[i].from != nullptr)
      add_conversion(*conversions[i], outputs[i].from, outputs[i].to, false);
  scratch_bytes_ = offset;
}

OneDnnPrimitive OneDnnPrimitive::clone() const {
  OneDnnPrimitive copy;
  copy.stages_ = stages_;
  copy.scratch_bytes_ = scratch_bytes_;
  for (const BoundMemory& original : places_) {
    const dnnl_memory_t memory =
        copy.place(original.memory.get_desc(), original.binding, original.offset);
    for (Stage& stage : copy.stages_)
      for (dnnl_exec_arg_t& argument : stage.arguments)
        if (argument.memory == original.memory.get()) argument.memory = memory;
  }
  return copy;
}

dnnl_memory_t OneDnnPrimitive::place(const Desc& desc, int binding, int64_t offset) {
  places_.push_back({dnnl::memory(desc, onednn_engine(), DNNL_MEMORY_NONE), binding, offset});
  return places_.back().memory.get();
}

void OneDnnPrimitive::add_conversion(const dnnl::reorder::primitive_desc& desc, dnnl_memory_t from,
                                     dnnl_memory_t to, bool constant) {
  const OneThread guard(is_small(desc.src_desc()));
  add_stage(dnnl::reorder(desc), desc.scratchpad_desc(),
            {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  stages_.back().constant = constant;
  stages_.back().small = is_small(desc.src_desc());
}

void OneDnnPrimitive::add_stage(const dnnl::primitive& primitive, const Desc& scratchpad,
                                std::vector<dnnl_exec_arg_t> arguments) {
  if (scratchpad.get_size() > 0)
    arguments.push_back({DNNL_ARG_SCRATCHPAD, place(scratchpad, -1, 0)});
  stages_.push_back({.primitive = primitive, .arguments = std::move(arguments)});
}

void OneDnnPrimitive::run(void* const* pointers, std::byte* scratch, bool again) const {
  for (const BoundMemory& place : places_)
    place.memory.set_data_handle(place.binding < 0 ? scratch + place.offset
                                                   : pointers[place.binding]);
  for (const Stage& stage : stages_) {
    if (again && stage.constant) continue;
    const OneThread guard(stage.small);
    const dnnl_status_t status =
        dnnl_primitive_execute(stage.primitive.get(), onednn_stream().get(),
                               static_cast<int>(stage.arguments.size()), stage.arguments.data());
    if (status != dnnl_success)
      throw Error(
          fmt::format("oneDNN failed to run a primitive (status {})", static_cast<int>(status)));
  }
}

}  // namespace plimsoll::kernels
