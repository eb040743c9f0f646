#include "plimsoll/record/step_picture_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

// Only the names that are used, each once.
class UsedNames {
 public:
  explicit UsedNames(const std::vector<std::string>& all) : all_(all) {}

  int64_t operator()(int32_t index) {
    const auto [found, is_new] = places_.emplace(index, names_.size());
    if (is_new) names_.push_back(all_[static_cast<size_t>(index)]);
    return static_cast<int64_t>(found->second);
  }
  Json take() { return std::move(names_); }

 private:
  const std::vector<std::string>& all_;
  std::map<int32_t, size_t> places_;
  Json names_ = Json::array();
};

// Moments [first, first + joined): the fullest names them.
Json joined_moment(const StepPicture& picture, size_t first, size_t joined, UsedNames& names) {
  const auto begin = picture.moments.begin() + static_cast<ptrdiff_t>(first);
  const auto end = picture.moments.begin() +
                   static_cast<ptrdiff_t>(std::min(first + joined, picture.moments.size()));
  const auto fullest = std::max_element(
      begin, end, [](const auto& a, const auto& b) { return a.live_bytes < b.live_bytes; });
  double seconds = 0;
  for (auto it = begin; it != end; ++it) seconds += it->seconds;
  return {names(fullest->op), names(fullest->layer), fullest->live_bytes,
          static_cast<int64_t>(seconds * 1e9)};
}

std::vector<size_t> largest_buffers(const StepPicture& picture, int64_t count) {
  std::vector<size_t> order(picture.buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto bytes = [&](size_t i) { return -picture.buffers[i].bytes; };
  std::ranges::stable_sort(order, {}, bytes);
  order.resize(std::min(order.size(), static_cast<size_t>(count)));
  std::ranges::sort(order);
  return order;
}

// Of all operations, also where moments are joined: [layer, nanoseconds].
Json layer_seconds(const StepPicture& picture, UsedNames& names) {
  std::map<int32_t, double> seconds;
  for (const StepPicture::Moment& moment : picture.moments) seconds[moment.layer] += moment.seconds;
  Json rows = Json::array();
  for (const auto& [layer, value] : seconds)
    rows.push_back({names(layer), static_cast<int64_t>(value * 1e9)});
  return rows;
}

}  // namespace

Json to_json(const StepPicture& picture, const PictureLimits& limits) {
  const size_t count = picture.moments.size(), most = static_cast<size_t>(limits.moments);
  const size_t joined = std::max<size_t>(1, (count + most - 1) / most);
  const auto moment_of = [&](int32_t at) { return at / static_cast<int32_t>(joined); };
  UsedNames names(picture.names);
  Json moments = Json::array(), buffers = Json::array();
  for (size_t first = 0; first < count; first += joined)
    moments.push_back(joined_moment(picture, first, joined, names));
  int64_t left_out = static_cast<int64_t>(picture.buffers.size()), left_out_bytes = 0;
  for (const StepPicture::Buffer& buffer : picture.buffers) left_out_bytes += buffer.bytes;
  for (const size_t i : largest_buffers(picture, limits.buffers)) {
    const StepPicture::Buffer& it = picture.buffers[i];
    buffers.push_back({static_cast<int>(it.kind), names(it.op), names(it.layer), names(it.shape),
                       it.offset, it.bytes, moment_of(it.first), moment_of(it.last)});
    --left_out;
    left_out_bytes -= it.bytes;
  }
  Json seconds = layer_seconds(picture, names);
  return {{"format", 1},
          {"arena_bytes", picture.arena_bytes},
          {"operations", count},
          {"joined", joined},
          {"peak", moment_of(picture.peak)},
          {"kinds", {"activation", "gradient", "weight gradient", "update", "scratch"}},
          {"names", names.take()},
          {"moments", std::move(moments)},
          {"buffers", std::move(buffers)},
          {"left_out", {{"buffers", left_out}, {"bytes", left_out_bytes}}},
          {"layer_nanoseconds", std::move(seconds)}};
}

}  // namespace plimsoll
