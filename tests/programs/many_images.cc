// many_images FOLDER COUNT: makes a folder of COUNT images (links to a few files) in 1,000 classes,
// opens it, splits it, and reads an epoch of it, shuffled. Prints what that takes of memory, in
// bytes, and how many records were not read exactly once.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/data/stages/split.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

// One grey pixel.
constexpr unsigned char kPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00,
    0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78,
    0x9c, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81, 0x77, 0xcd, 0x72, 0xb6, 0x00,
    0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
constexpr int64_t kClasses = 1000;

// A file may have only so many names; then there is a next one.
class Links {
 public:
  explicit Links(fs::path folder) : folder_(std::move(folder)) { next_file(); }

  void add(const std::string& path) {
    if (::link(file_.c_str(), path.c_str()) == 0) return;
    if (errno != EMLINK) throw IoError(path + ": cannot be linked");
    next_file();
    if (::link(file_.c_str(), path.c_str()) != 0) throw IoError(path + ": cannot be linked");
  }

 private:
  void next_file() {
    file_ = (folder_ / (std::to_string(++files_) + ".pixel")).string();
    std::ofstream(file_, std::ios::binary).write(reinterpret_cast<const char*>(kPng), sizeof kPng);
  }

  fs::path folder_;
  std::string file_;
  int files_ = 0;
};

void make_images(const fs::path& folder, int64_t count) {
  Links links(folder);
  for (int64_t i = 0; i < count; ++i) {
    char name[64];
    std::snprintf(name, sizeof name, "n%08lld", static_cast<long long>(i % kClasses));
    const fs::path place = folder / name;
    if (i < kClasses) fs::create_directory(place);
    std::snprintf(name, sizeof name, "photo_%09lld.png", static_cast<long long>(i));
    links.add((place / name).string());
  }
}

int64_t number_in(const std::string& name) {
  return std::atoll(name.c_str() + name.rfind('_') + 1);
}

// How many records are not read exactly once.
int64_t read_epoch(const Source& source) {
  std::vector<uint8_t> visits(static_cast<size_t>(source.size()));
  float pixel = 0;
  int32_t label = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&pixel),
                             reinterpret_cast<std::byte*>(&label)};
  for (int64_t i = 0; i < source.size(); ++i) {
    source.read(i, into);
    const int64_t number = number_in(source.name(i));
    if (label != number % kClasses) throw CorruptFile(source.name(i) + ": has a wrong label");
    ++visits.at(static_cast<size_t>(number));
  }
  int64_t wrong = 0;
  for (uint8_t count : visits) wrong += count != 1;
  return wrong;
}

void say(const char* name, int64_t value) {
  std::printf("%s=%lld ", name, static_cast<long long>(value));
}

void run(const std::string& folder, int64_t count) {
  make_images(folder, count);
  const ProcessMemory before = process_memory();
  const SourcePtr source =
      image_folder(folder, {.image_size = {1, 1}, .color_mode = ColorMode::grayscale});
  const ProcessMemory indexed = process_memory();
  const SplitSources by_order = split(source, {.seed = 1});
  const int64_t ordered_bytes = process_memory().resident_bytes;
  const SplitSources by_hash = split(source, {.by = SplitOptions::By::hash, .root = folder});
  const int64_t split_bytes = process_memory().resident_bytes;
  const int64_t wrong = read_epoch(*shuffled(source, {.seed = 1}));
  say("records", source->size());
  say("index", indexed.resident_bytes - before.resident_bytes);
  say("indexing", indexed.peak_resident_bytes - before.resident_bytes);
  say("order_split", ordered_bytes - indexed.resident_bytes);
  say("hash_split", split_bytes - ordered_bytes);
  say("epoch", process_memory().peak_resident_bytes - split_bytes - source->size());
  say("wrong", wrong);
  std::printf("\n");
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: many_images FOLDER COUNT\n");
    return 2;
  }
  try {
    plimsoll::run(argv[1], std::atoll(argv[2]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "many_images: %s\n", error.what());
    return 1;
  }
}
