#include "plimsoll/formats/tensorflow/graph_def.h"

#include "plimsoll/base/printable.h"
#include "plimsoll/formats/tensorflow/protobuf_writer.h"

namespace plimsoll {
namespace {

// An AttrValue with a list of shapes.
std::string shapes_attribute(const std::vector<std::vector<int64_t>>& shapes) {
  ProtobufWriter list;
  for (const std::vector<int64_t>& shape : shapes) {
    ProtobufWriter message;
    for (const int64_t size : shape) message.bytes(2, ProtobufWriter().number(1, size).text());
    list.bytes(7, message.text());
  }
  return ProtobufWriter().bytes(1, list.text()).text();
}

std::string node_message(const GraphNode& node) {
  ProtobufWriter message;
  message.bytes(1, valid_utf8(node.name)).bytes(2, valid_utf8(node.op));
  for (const std::string& input : node.inputs) message.bytes(3, valid_utf8(input));
  if (!node.shapes.empty())
    message.bytes(
        5,
        ProtobufWriter().bytes(1, "_output_shapes").bytes(2, shapes_attribute(node.shapes)).text());
  return message.text();
}

}  // namespace

std::string graph_def(std::span<const GraphNode> nodes) {
  constexpr int64_t kProducer = 22;  // the version of graphs that TensorBoard itself writes
  ProtobufWriter graph;
  for (const GraphNode& node : nodes) graph.bytes(1, node_message(node));
  graph.bytes(4, ProtobufWriter().number(1, kProducer).text());
  return graph.text();
}

}  // namespace plimsoll
