// Training steps of one case, run in turns with the peers by bench/peers/interleave.py; the lines
// it says and hears are described in bench/peers/step_protocol.py.
#include <cstdio>
#include <string>

#include "bench/step_talk.h"
#include "plimsoll/train/steps/model_steps.h"
#include "tests/support/example_models.h"

namespace plimsoll {
namespace {

// The conversation goes on inside fit: fit's own loop is what is measured.
class Conversation final : public Callback {
 public:
  explicit Conversation(const StepTalk& talk) : talk_(talk) {}

  struct Done {};  // thrown to leave fit

  void on_train_batch_end(TrainingState&) override {
    if (!talk_.after_step()) throw Done{};
  }

 private:
  StepTalk talk_;
};

int64_t batch_of(const std::string& name) {
  if (name == "mlp") return 128;
  if (name == "lstm") return 512;
  return name == "lstm_1" ? 1 : 32;
}

int run(const std::string& name) {
  const StepTalk talk;
  const int64_t batch = batch_of(name);
  set_thread_count(2);
  ExampleModel example = example_model(name);
  const auto conversation = std::make_shared<Conversation>(talk);
  try {
    // One batch of data, every step on it, like the peers.
    example.model.fit(
        Dataset(example_records(example.fields, batch, batch << 24)),
        {.batch_size = batch, .shuffle = false, .verbose = 0, .callbacks = {conversation}});
  } catch (const Conversation::Done&) {
  }
  StepTalk::say_end();
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: step_bench cnn|mlp|lstm|lstm_1|lstm_32|demo|functional\n");
    return 2;
  }
  try {
    return plimsoll::run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "step_bench: %s\n", error.what());
    return 3;
  }
}
