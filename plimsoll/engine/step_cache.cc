#include "plimsoll/engine/step_cache.h"

#include <fmt/format.h>

#include <malloc.h>

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/memory_budget.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/engine/memory/hold_step.h"
#include "plimsoll/engine/numbers/first_bad.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/signature.h"
#include "plimsoll/graph/traverse.h"

namespace plimsoll {
namespace {

// The structure of a graph as bytes, and its constants' data in the order that lowering meets them.
struct Structure {
  std::string key;
  std::vector<StoragePtr> constants;
};

class StructureReader {
 public:
  Structure read(const StepGraph& graph) {
    std::vector<Value> roots = graph.outputs;
    roots.insert(roots.end(), graph.gates.begin(), graph.gates.end());
    for (const Commit& commit : graph.commits) roots.push_back(commit.value);
    signature_.add(thread_count());
    for (const NodePtr& node : topological_order(roots, Follow::pending)) add(*node);
    signature_.add(graph.outputs.size()).add(graph.gates.size());
    for (const Value& root : roots) add(root);
    for (const Commit& commit : graph.commits) signature_.add(commit.variable->id);
    return {signature_.take(), std::move(constants_)};
  }

 private:
  void add(const Node& node) {
    numbers_.emplace(&node, static_cast<int64_t>(numbers_.size()));
    if (node.has_value()) {
      signature_.add('c');
      for (const Spec& spec : node.specs) signature_.add(spec);
      constants_.insert(constants_.end(), node.values.begin(), node.values.end());
    } else if (node.variable != nullptr) {
      signature_.add('v').add(node.variable->id);
      signature_.add(node.variable->version == node.variable_version);
    } else if (node.op != nullptr) {
      signature_.add('o');
      node.was_on_the_way.store(true, std::memory_order_relaxed);
      sign_op(*node.op, signer_);
      signature_.add(node.inputs.size());
      for (const Value& input : node.inputs) add(input);
    } else {
      signature_.add('p').add(node.specs[0]);
    }
  }

  void add(const Value& value) { signature_.add(numbers_.at(value.node.get())).add(value.output); }

  AttributeSigner signer_;
  Signature& signature_ = signer_.signature();
  std::vector<StoragePtr> constants_;
  std::unordered_map<const Node*, int64_t> numbers_;
};

class StepCache {
 public:
  CompiledStep& find_or_compile(const std::string& key, const StepGraph& graph) {
    if (const auto limit = memory_limit(); limit != limit_) {
      clear();
      limit_ = limit;
    }
    if (const auto found = index_.find(key); found != index_.end()) {
      ++counts_.reused;
      steps_.splice(steps_.begin(), steps_, found->second);
      return *found->second->second;
    }
    std::unique_ptr<CompiledStep> step = compile(graph);
    ++counts_.compiled;
    steps_.emplace_front(key, std::move(step));
    index_[key] = steps_.begin();
    if (steps_.size() > kStepCacheSize) {
      index_.erase(steps_.back().first);
      steps_.pop_back();
    }
    return *steps_.front().second;
  }
  void clear() {
    index_.clear();
    steps_.clear();
  }
  StepCacheCounts counts() const { return counts_; }

 private:
  using Entry = std::pair<std::string, std::unique_ptr<CompiledStep>>;

  // Drops all other cached steps if there is no room beside them.
  std::unique_ptr<CompiledStep> compile(const StepGraph& graph) {
    drop_orphans();
    const MemoryBudget budget = memory_budget();
    HeldStep found = hold_step(graph, budget);
    if (!found.is_within) {
      found = {};
      clear();
      malloc_trim(0);
      found = hold_step(graph, budget);
    }
    if (!found.is_within) refuse_step(graph, found, budget);
    found.step->leave_variables();
    return std::move(found.step);
  }

  // Drops the steps of models that are gone: they can never run again.
  void drop_orphans() {
    for (auto entry = steps_.begin(); entry != steps_.end();) {
      if (entry->second->has_variables()) {
        ++entry;
        continue;
      }
      index_.erase(entry->first);
      entry = steps_.erase(entry);
    }
  }

  std::list<Entry> steps_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
  StepCacheCounts counts_;
  std::optional<int64_t> limit_;  // of memory, that the steps were compiled for
};

StepCache& cache() {
  return Context::current().part<StepCache>();
}

}  // namespace

// The same error, and where the first number came from that is not finite. Operations that are
// joined compute a little differently: if each alone is finite, the joined ones are looked at.
[[noreturn]] static void throw_explained(const NotFinite& error, const StepGraph& graph,
                                         int64_t arena_bytes) {
  for (const bool as_recorded : {true, false}) {
    CompiledStep replay(graph, {.arena_budget = arena_bytes, .as_recorded = as_recorded});
    if (const std::optional<FirstBad> bad = find_first_bad(replay, 0))
      throw NotFiniteStep(fmt::format("{}; it began here: {}: {}", error.what(),
                                      bad->where.to_string(), to_string(*bad)),
                          *bad);
  }
  throw NotFinite(error.what());
}

std::vector<StoragePtr> evaluate_step(const StepGraph& graph) {
  Structure structure = StructureReader().read(graph);
  CompiledStep& step = cache().find_or_compile(structure.key, graph);
  const size_t count = structure.constants.size();
  step.bind_constants(std::move(structure.constants));
  std::vector<StoragePtr> outputs;
  try {
    step.run();
  } catch (const NotFinite& error) {
    step.bind_constants(std::vector<StoragePtr>(count));
    throw_explained(error, graph, step.memory().arena_bytes);
  } catch (...) {
    step.bind_constants(std::vector<StoragePtr>(count));
    throw;
  }
  step.bind_constants(std::vector<StoragePtr>(count));  // lets the caller's data go
  for (size_t i = 0; i < graph.outputs.size(); ++i)
    outputs.push_back(step.output(static_cast<int>(i)));
  return outputs;
}

StepCacheCounts step_cache_counts() {
  return cache().counts();
}

void clear_step_cache() {
  cache().clear();
}

}  // namespace plimsoll
