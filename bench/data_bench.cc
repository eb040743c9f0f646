// What bench/data/data.py runs:
//   data_bench images FOLDER exact|fast    batches of 32 pictures, resized to 224x224 and flipped
//   data_bench fit FILE|memory MEMORY      training steps on data of a file, or on 64 records in
//                                          memory; both speak as bench/peers/step_protocol.py says
//   data_bench npz FILE ROUNDS             batches of a .npz file beside memcpy, in turns
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/step_talk.h"
#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/data/images/augment_image.h"
#include "plimsoll/data/loader/loader.h"
#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/data/sources/npz_source.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/data/stages/stages.h"
#include "tests/support/example_models.h"

namespace plimsoll {
namespace {

constexpr int64_t kBatch = 32;
constexpr int kWorkers = 2;
constexpr int kWindows = 4;  // batches: one in use, three read ahead

// --- pictures

void run_images(const std::string& folder, const std::string& mode) {
  StepTalk talk;
  if (mode != "exact" && mode != "fast")
    throw InvalidArgument("expected exact or fast, found '" + mode + "'");
  ImageFolderOptions options{.image_size = {224, 224}};
  options.fast_decode = mode == "fast";
  const SourcePtr source = repeat(
      shuffled(augmented(image_folder(folder, options), {.horizontal_flip = true}, 0), {.seed = 0}),
      1 << 20);
  Loader loader(source, kBatch, {.workers = kWorkers, .windows = kWindows});
  loader.start_epoch(0);
  do {
    loader.begin_batch();
    loader.load();
  } while (talk.after_step());
  StepTalk::say_end();
}

// --- training

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

void run_fit(const std::string& data, const std::string& memory) {
  constexpr int64_t kInMemory = 64;
  const StepTalk talk;
  set_thread_count(kWorkers);
  ExampleModel example = example_model("cnn");
  const SourcePtr source = data == "memory" ? example_records(example.fields, kInMemory, kInMemory)
                                            : npz_source(data, {"x"}, {"y"});
  try {
    example.model.fit(Dataset(source), {.epochs = 1 << 20,
                                        .batch_size = kBatch,
                                        .memory = memory,
                                        .verbose = 0,
                                        .callbacks = {std::make_shared<Conversation>(talk)}});
  } catch (const Conversation::Done&) {
  }
  StepTalk::say_end();
}

// --- .npz beside memcpy

// A file that is mapped into memory, as it is in the page cache.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const FileDescriptor file(path, O_RDONLY);
    bytes_ = static_cast<size_t>(file.size());
    void* place = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED | MAP_POPULATE, file.number(), 0);
    if (place == MAP_FAILED) throw IoError(path + ": cannot be mapped");
    data_ = static_cast<const std::byte*>(place);
  }
  ~MappedFile() { ::munmap(const_cast<std::byte*>(data_), bytes_); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }
  int64_t bytes() const { return static_cast<int64_t>(bytes_); }

 private:
  const std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

template <class Action>
double seconds_of(const Action& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print(const char* name, const std::vector<double>& seconds, const char* after) {
  std::printf("\"%s\": [", name);
  for (size_t i = 0; i < seconds.size(); ++i) std::printf("%s%.6f", i > 0 ? ", " : "", seconds[i]);
  std::printf("]%s", after);
}

// The same number of bytes three times, into a buffer of a batch. Nothing is read ahead: what is
// compared is the copy.
void run_npz(const std::string& path, int rounds) {
  const MappedFile file(path);
  const SourcePtr source = npz_source(path, {"x"}, {"y"});
  Loader in_order(source, kBatch), in_disorder(shuffled(source, {.seed = 0}), kBatch);
  in_order.touch();
  in_disorder.touch();
  const int64_t batch_bytes = source->fields()[0].bytes() * kBatch;
  std::vector<std::byte> buffer(static_cast<size_t>(batch_bytes));
  const int64_t count = source->size() / kBatch;
  const auto load_all = [&](Loader& loader, int epoch) {
    return seconds_of([&] {
      loader.start_epoch(epoch);
      for (int64_t i = 0; i < count && loader.begin_batch() > 0; ++i) loader.load();
    });
  };
  std::vector<double> copied, ordered, disordered;
  for (int round = 0; round < rounds; ++round) {
    copied.push_back(seconds_of([&] {
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(buffer.data(), file.data() + i * batch_bytes, buffer.size());
    }));
    ordered.push_back(load_all(in_order, round));
    disordered.push_back(load_all(in_disorder, round));
  }
  std::printf("{\"bytes\": %lld, ", static_cast<long long>(count * batch_bytes));
  print("memcpy", copied, ", ");
  print("in_order", ordered, ", ");
  print("shuffled", disordered, "}\n");
}

int run(const std::vector<std::string>& words) {
  if (words.size() != 3) return 2;
  if (words[0] == "images")
    run_images(words[1], words[2]);
  else if (words[0] == "fit")
    run_fit(words[1], words[2]);
  else if (words[0] == "npz")
    run_npz(words[1], std::atoi(words[2].c_str()));
  else
    return 2;
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  try {
    const int code = plimsoll::run({argv + 1, argv + argc});
    if (code == 2)
      std::fprintf(stderr,
                   "usage: data_bench images FOLDER exact|fast | fit FILE|memory MEMORY | "
                   "npz FILE ROUNDS\n");
    return code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "data_bench: %s\n", error.what());
    return 3;
  }
}
