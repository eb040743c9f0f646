#include "plimsoll/kernels/onednn_primitive.h"

#include <algorithm>
#include <optional>
#include <string>

#include "plimsoll/base/error.h"

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

dnnl::reorder::primitive_desc reorder_between(const Desc& from, const Desc& to) {
  return {onednn_engine(), from, onednn_engine(), to, onednn_attributes()};
}

}  // namespace

const dnnl::engine& onednn_engine() {
  static const dnnl::engine engine = [] {
    dnnl::set_primitive_cache_capacity(0);
    return dnnl::engine(dnnl::engine::kind::cpu, 0);
  }();
  return engine;
}

dnnl::primitive_attr onednn_attributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
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

  std::vector<dnnl_exec_arg_t> arguments;
  std::vector<std::vector<dnnl_exec_arg_t>> after(bindings.size());
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
      after[i] = {{DNNL_ARG_FROM, wanted}, {DNNL_ARG_TO, given}};
    else
      add_stage(dnnl::reorder(*conversions[i]), conversions[i]->scratchpad_desc(),
                {{DNNL_ARG_FROM, given}, {DNNL_ARG_TO, wanted}}, binding.constant);
  }
  add_stage(primitive, scratchpad, std::move(arguments));
  for (size_t i = 0; i < bindings.size(); ++i)
    if (!after[i].empty())
      add_stage(dnnl::reorder(*conversions[i]), conversions[i]->scratchpad_desc(),
                std::move(after[i]));
  scratch_bytes_ = offset;
}

dnnl_memory_t OneDnnPrimitive::place(const Desc& desc, int binding, int64_t offset) {
  places_.push_back({dnnl::memory(desc, onednn_engine(), DNNL_MEMORY_NONE), binding, offset});
  return places_.back().memory.get();
}

void OneDnnPrimitive::add_stage(const dnnl::primitive& primitive, const Desc& scratchpad,
                                std::vector<dnnl_exec_arg_t> arguments, bool constant) {
  if (scratchpad.get_size() > 0)
    arguments.push_back({DNNL_ARG_SCRATCHPAD, place(scratchpad, -1, 0)});
  stages_.push_back({primitive, std::move(arguments), constant});
}

void OneDnnPrimitive::run(void* const* pointers, std::byte* scratch, bool again) const {
  for (const Place& place : places_)
    place.memory.set_data_handle(place.binding < 0 ? scratch + place.offset
                                                   : pointers[place.binding]);
  for (const Stage& stage : stages_) {
    if (again && stage.constant) continue;
    const dnnl_status_t status =
        dnnl_primitive_execute(stage.primitive.get(), onednn_stream().get(),
                               static_cast<int>(stage.arguments.size()), stage.arguments.data());
    if (status != dnnl_success)
      throw Error("oneDNN failed to run a primitive (status " + std::to_string(status) + ")");
  }
}

}  // namespace plimsoll::kernels
