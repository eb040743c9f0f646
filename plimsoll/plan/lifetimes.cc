#include "plimsoll/plan/lifetimes.h"

#include <algorithm>

namespace plimsoll::plan {
namespace {

class LifetimeFinder {
 public:
  LifetimeFinder(const StepProblem& problem, std::span<const int32_t> order)
      : problem_(problem),
        order_(order),
        owners_(storage_owners(problem)),
        last_use_(problem.values.size(), 0),
        owner_buffers_(problem.values.size(), -1) {
    result_.offsets.alignment = problem.alignment;
    result_.scratch_buffers.assign(problem.tasks.size(), -1);
    result_.overwrote.resize(problem.tasks.size());
  }

  Lifetimes find() {
    find_last_uses();
    add_values_there_at_the_start();
    for (size_t moment = 0; moment < order_.size(); ++moment) {
      run(order_[moment], static_cast<int32_t>(moment));
    }
    for (const int32_t owner : owners_) {
      result_.value_buffers.push_back(owner_buffers_[owner]);
    }
    return std::move(result_);
  }

 private:
  void find_last_uses() {
    for (size_t moment = 0; moment < order_.size(); ++moment) {
      const Task& task = problem_.tasks[order_[moment]];
      const auto use = [&](int32_t value) {
        last_use_[owners_[value]] = static_cast<int32_t>(moment);
      };
      std::for_each(task.inputs.begin(), task.inputs.end(), use);
      std::for_each(task.outputs.begin(), task.outputs.end(), use);
    }
    // One past the last task: so the last task may not overwrite a kept value either.
    for (const int32_t value : problem_.kept) {
      last_use_[owners_[value]] = static_cast<int32_t>(order_.size());
    }
  }

  void add_values_there_at_the_start() {
    const std::vector<int32_t> maker = makers(problem_);
    for (size_t value = 0; value < problem_.values.size(); ++value) {
      if (maker[value] == -1) add_value(static_cast<int32_t>(value), 0);
    }
  }

  void run(int32_t index, int32_t moment) {
    const Task& task = problem_.tasks[index];
    for (size_t row = 0; row < task.may_overwrite.size(); ++row) {
      if (!overwrite(task, task.may_overwrite[row], moment)) continue;
      result_.overwrote[index].push_back(static_cast<int32_t>(row));
    }
    for (const int32_t output : task.outputs) add_value(output, moment);
    if (task.scratch_bytes > 0) {
      result_.scratch_buffers[index] = add_buffer({task.scratch_bytes, moment, moment});
    }
  }

  // Gives the output the input's buffer if that is allowed.
  bool overwrite(const Task& task, const Overwrite& row, int32_t moment) {
    const int32_t output = task.outputs[row.output];
    const int32_t index = owner_buffers_[owners_[task.inputs[row.input]]];
    if (index == -1 || !needs_a_buffer(output)) return false;
    Buffer& buffer = result_.offsets.buffers[index];
    if (buffer.last > moment || problem_.values[output].bytes > buffer.bytes) return false;
    const auto in_it = [&](int32_t value) { return owner_buffers_[owners_[value]] == index; };
    // No overwrite if the storage is also that of another input, of a view that this task makes, or
    // of another output that took it already.
    if (std::count_if(task.inputs.begin(), task.inputs.end(), in_it) != 1) return false;
    if (std::any_of(task.outputs.begin(), task.outputs.end(), in_it)) return false;
    owner_buffers_[output] = index;
    buffer.last = last_use_[output];
    return true;
  }

  bool needs_a_buffer(int32_t value) const {
    return owners_[value] == value && !problem_.values[value].external &&
           owner_buffers_[value] == -1;
  }

  void add_value(int32_t value, int32_t first) {
    if (!needs_a_buffer(value)) return;
    owner_buffers_[value] =
        add_buffer({problem_.values[value].bytes, first, std::max(first, last_use_[value])});
  }

  int32_t add_buffer(const Buffer& buffer) {
    result_.offsets.buffers.push_back(buffer);
    return static_cast<int32_t>(result_.offsets.buffers.size()) - 1;
  }

  const StepProblem& problem_;
  std::span<const int32_t> order_;
  std::vector<int32_t> owners_;
  std::vector<int32_t> last_use_;       // of an owner's storage, as a moment
  std::vector<int32_t> owner_buffers_;  // -1 until the owner is made, and outside the arena
  Lifetimes result_;
};

}  // namespace

Lifetimes find_lifetimes(const StepProblem& problem, std::span<const int32_t> order) {
  return LifetimeFinder(problem, order).find();
}

}  // namespace plimsoll::plan
