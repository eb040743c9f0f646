#include "plimsoll/train/callbacks/network_graph.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kInput = "InputLayer";

class GraphBuilder {
 public:
  // Adds the rows of a network that reads these nodes; returns those that make its outputs.
  Names add(const Network& network, const std::string& prefix, const Names& inputs) {
    const std::vector<Network::Row> rows = network.rows();
    std::map<std::string, Names> made;  // by the names of rows
    const bool shows_inputs = std::ranges::any_of(rows, is_input);
    Names last = inputs.empty() && !shows_inputs ? add_inputs(network, prefix) : inputs;
    size_t next_input = 0;
    for (const Network::Row& row : rows) {
      Names sources;
      if (is_input(row)) {
        if (next_input < inputs.size()) sources = {inputs[next_input++]};
      } else if (row.sources.empty()) {
        sources = last;  // a sequence
      }
      for (const std::string& source : row.sources)
        for (const std::string& node : made[source]) sources.push_back(node);
      last = made[row.name] = add_row(row, prefix + row.name, std::move(sources));
    }
    Names outputs;
    for (const Port& port : network.outputs())
      for (const std::string& node : made[port.name]) outputs.push_back(node);
    return outputs.empty() ? last : outputs;
  }

  std::vector<GraphNode> take() { return std::move(nodes_); }

 private:
  static bool is_input(const Network::Row& row) { return row.kind == kInput; }

  // Of a sequence, whose rows do not show them.
  Names add_inputs(const Network& network, const std::string& prefix) {
    Names names;
    for (const Port& port : network.inputs()) {
      const Shape& shape = port.spec.shape;
      names.push_back(prefix + port.name);
      nodes_.push_back(
          {.name = names.back(), .op = kInput, .shapes = {{shape.begin(), shape.end()}}});
    }
    return names;
  }

  Names add_row(const Network::Row& row, std::string name, Names sources) {
    if (const auto* inner = dynamic_cast<const Network*>(row.layer.get()))
      return add(*inner, name + "/", sources);
    GraphNode node{.name = name, .op = row.kind, .inputs = std::move(sources), .shapes = {}};
    for (const Shape& shape : row.outputs) node.shapes.emplace_back(shape.begin(), shape.end());
    nodes_.push_back(std::move(node));
    return {std::move(name)};
  }

  std::vector<GraphNode> nodes_;
};

}  // namespace

std::vector<GraphNode> network_graph(const Network& network) {
  GraphBuilder builder;
  builder.add(network, "", {});
  return builder.take();
}

int64_t count_layers(const LayerBody& layer) {
  int64_t count = 1;
  for (const LayerBody::Child& child : layer.children()) count += count_layers(*child.layer);
  return count;
}

}  // namespace plimsoll
