#include "plimsoll/graph/commits.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

namespace plimsoll {
namespace {

// Which contexts' threads write which variables now, in the whole process.
struct Writers {
  std::mutex mutex;
  std::condition_variable ended;
  std::multimap<const VariableState*, const Context*> by_variable;

  bool has_other(const VariableState& variable, const Context& own) const {
    const auto [begin, end] = by_variable.equal_range(&variable);
    for (auto writer = begin; writer != end; ++writer)
      if (writer->second != &own) return true;
    return false;
  }
};

Writers& writers() {
  static auto* writers = new Writers();  // threads may outlive static objects
  return *writers;
}

using States = std::vector<std::shared_ptr<VariableState>>;

// The caller frees them when it holds no lock.
States assigned_in(Context& context) {
  States variables;
  const std::lock_guard lock(context.mutex);
  for (const auto& entry : context.assigned)
    if (auto variable = entry.lock()) variables.push_back(std::move(variable));
  return variables;
}

}  // namespace

// Another thread may be making the same assignments at this moment. Then it is waited for, and what
// it has left is looked for again.
Commits::Commits(Context& context) {
  if (Context::is_only()) return;
  const Context& own = Context::current();
  for (;;) {
    variables_ = assigned_in(context);
    if (variables_.empty()) return;
    std::unique_lock lock(writers().mutex);
    const auto is_written = [&](const auto& variable) {
      return writers().has_other(*variable, own);
    };
    if (std::ranges::none_of(variables_, is_written)) {
      for (const auto& variable : variables_) writers().by_variable.emplace(variable.get(), &own);
      return;
    }
    writers().ended.wait(lock, [&] { return std::ranges::none_of(variables_, is_written); });
  }
}

Commits::~Commits() {
  if (variables_.empty()) return;
  {
    const std::lock_guard lock(writers().mutex);
    for (const auto& variable : variables_) {
      auto [writer, end] = writers().by_variable.equal_range(variable.get());
      while (writer != end && writer->second != &Context::current()) ++writer;
      if (writer != end) writers().by_variable.erase(writer);
    }
  }
  writers().ended.notify_all();
}

void Commits::wait_for(const VariableState& variable) {
  if (Context::is_only()) return;
  const Context& own = Context::current();
  std::unique_lock lock(writers().mutex);
  writers().ended.wait(lock, [&] { return !writers().has_other(variable, own); });
}

}  // namespace plimsoll
