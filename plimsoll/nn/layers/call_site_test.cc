// Tensors that come out of layers and losses belong to the line that called them.
#include <gtest/gtest.h>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/losses/loss.h"
#include "plimsoll/nn/networks/sequential.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

unsigned line_of(const Tensor& tensor) {
  return tensor.value().node->where.line;
}

TEST(CallSite, IsTheLineOfTheUser) {
  const Layer model(std::make_shared<SequentialBody>(Layers{Dense({.units = 3})}));
  const Tensor x = placeholder({DType::float32, {2, 4}});
  const unsigned line = Place::here().line;
  const Tensor y = model(x);
  const Tensor loss = Loss("mse")(y, y);
  EXPECT_EQ(line_of(y), line + 1);
  EXPECT_EQ(line_of(loss), line + 2);
  const Tensor gradient = gradients(loss, std::span(&x, 1))[0];
  EXPECT_EQ(line_of(gradient), line + 1);
}

TEST(CallSite, IsInWhatAnOpInsideALossComplainsAbout) {
  const Tensor y = placeholder({DType::float32, {2, 4}});
  const Tensor weight = placeholder({DType::float32, {3}});
  const unsigned line = Place::here().line + 1;
  const std::string message = testing::message_of([&] { Loss("mse")(y, y, weight); });
  EXPECT_NE(message.find("call_site_test.cc:" + std::to_string(line)), std::string::npos)
      << message;
}

}  // namespace
}  // namespace plimsoll
