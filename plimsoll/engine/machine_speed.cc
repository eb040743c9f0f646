#include "plimsoll/engine/machine_speed.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <span>
#include <sstream>
#include <string>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/base/xxh3.h"
#include "plimsoll/kernels/gemm/gemm.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {
namespace {

constexpr double kTypicalOperations = 85e9, kTypicalBytes = 20e9;  // of a thread

// The CPU time of this thread, so that other programs on the machine change it little.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Run>
double least_seconds(int repeats, const Run& run) {
  double least = INFINITY;
  for (int i = 0; i < repeats; ++i) {
    const double start = thread_seconds();
    run();
    least = std::min(least, thread_seconds() - start);
  }
  return least;
}

float* floats(const Storage& storage) {
  return reinterpret_cast<float*>(storage.data());
}

// Both of one thread.
double measure_operations() {
  constexpr int64_t kSize = 512;
  const kernels::Gemm gemm({.m = kSize, .n = kSize, .k = kSize}, 1);
  const Storage a(kSize * kSize * 4), b(kSize * kSize * 4), c(kSize * kSize * 4);
  const Storage scratch(gemm.scratch_bytes());
  const double seconds = least_seconds(
      20, [&] { gemm.run(floats(a), floats(b), floats(c), nullptr, scratch.data()); });
  return 2.0 * kSize * kSize * kSize / seconds;
}

double measure_bytes() {
  // More than the last cache of most machines; a run of the usual size takes more memory than this.
  constexpr int64_t kBytes = int64_t{24} << 20;
  const Storage from(kBytes), to(kBytes);
  const double seconds = least_seconds(8, [&] {
    const float* x = floats(from);
    float* y = floats(to);
    for (int64_t i = 0; i < kBytes / 4; ++i) y[i] = x[i] * 0.5f;
  });
  return 2.0 * kBytes / seconds;
}

// Threads share the way to the memory: two of them reach 1.7 times what one does.
MachineSpeed of_threads(double operations, double bytes) {
  return {operations * thread_count(), bytes * std::pow(thread_count(), 0.75)};
}

// Identifies this machine, as far as possible: the lines that describe its first core.
std::string machine_key() {
  std::ifstream file("/proc/cpuinfo");
  std::string line, text;
  while (std::getline(file, line) && !line.empty())
    if (!line.starts_with("cpu MHz") && !line.starts_with("bogomips")) text += line + "\n";
  text += std::to_string(thread_count());
  return xxh3_of(text).substr(0, 16);
}

// Empty if there is no home.
std::string cache_path() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache == nullptr && home == nullptr) return "";
  const std::string folder = cache != nullptr ? cache : std::string(home) + "/.cache";
  return folder + "/plimsoll/speed-" + machine_key();
}

// A file with wrong contents is treated as a missing one.
std::optional<MachineSpeed> read_speed(const std::string& path) {
  std::ifstream file(path);
  MachineSpeed speed{};
  if (!(file >> speed.operations_per_second >> speed.bytes_per_second)) return std::nullopt;
  const auto is_likely = [](double value) { return value > 1e7 && value < 1e16; };
  if (!is_likely(speed.operations_per_second) || !is_likely(speed.bytes_per_second))
    return std::nullopt;
  return speed;
}

void write_speed(const std::string& path, const MachineSpeed& speed) {
  std::ostringstream text;
  text << speed.operations_per_second << ' ' << speed.bytes_per_second << '\n';
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  try {
    write_file(path, text.str());
  } catch (const IoError&) {
    // It will be measured again.
  }
}

// Of the process: the first thread that asks measures for all.
struct Known {
  std::mutex mutex;  // held while it is read or measured
  int threads = 0;   // for so many; 0: nothing is known yet
  bool is_measured = false;
  MachineSpeed speed{};
};

// What is known for this many threads; the caller holds its mutex.
void look_up(Known& known) {
  if (known.threads == thread_count()) return;
  const std::string path = cache_path();
  const auto read = path.empty() ? std::nullopt : read_speed(path);
  known.threads = thread_count();
  known.is_measured = read.has_value();
  known.speed = read.value_or(typical_speed());
}

Known& known_speed() {
  static Known known;
  return known;
}

}  // namespace

MachineSpeed typical_speed() {
  return of_threads(kTypicalOperations, kTypicalBytes);
}

MachineSpeed machine_speed() {
  Known& known = known_speed();
  const std::lock_guard lock(known.mutex);
  look_up(known);
  return known.speed;
}

bool is_machine_speed_known() {
  Known& known = known_speed();
  const std::lock_guard lock(known.mutex);
  look_up(known);
  return known.is_measured;
}

bool measure_machine_speed(int64_t room_bytes) {
  constexpr int64_t kWanted = int64_t{128} << 20;
  Known& known = known_speed();
  const std::lock_guard lock(known.mutex);
  look_up(known);
  if (known.is_measured || std::min(room_bytes, memory_available()) < kWanted) return false;
  known.speed = of_threads(measure_operations(), measure_bytes());
  known.is_measured = true;
  if (const std::string path = cache_path(); !path.empty()) write_speed(path, known.speed);
  return true;
}

void forget_machine_speed() {
  Known& known = known_speed();
  const std::lock_guard lock(known.mutex);
  known.threads = 0;
}

}  // namespace plimsoll
