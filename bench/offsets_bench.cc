// How close to its lower bound, and how fast, each arena is planned: training steps, problems of
// growing size, and minimalloc's hard cases.
//
//   offsets_bench [--json FILE]
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/plan/lifetimes.h"
#include "plimsoll/plan/offsets/sample_problems.h"
#include "plimsoll/plan/order.h"
#include "plimsoll/plan/sample_steps.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {
namespace {

struct Case {
  std::string name;
  OffsetProblem problem;
  int64_t capacity = 0;  // known to suffice
};

struct Row {
  std::string name;
  size_t buffers = 0;
  int64_t max_live_bytes = 0;
  int64_t arena_bytes = 0;
  double gap_percent = 0;   // of the arena above the capacity
  double milliseconds = 0;  // of the processor, so that a busy machine does not count
};

Case step_case(std::string name, const StepProblem& step) {
  Case made{std::move(name), find_lifetimes(step, choose_order(step)).offsets};
  made.capacity = max_live_bytes(made.problem);
  return made;
}

Case perfect_case(int32_t count) {
  constexpr int64_t kCapacity = int64_t{1} << 30;
  return {"cut rectangle, " + std::to_string(count), perfect_offset_problem(1, count, kCapacity),
          kCapacity};
}

Case random_case(int32_t count) {
  Case made{"random, " + std::to_string(count), random_offset_problem(1, count)};
  made.capacity = max_live_bytes(made.problem);
  return made;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = {
      step_case("MLP, 4 layers", mlp_step({784, 512, 512, 512, 10}, 128)),
      step_case("CNN, 5 blocks", cnn_step(32, 224, 5)),
      step_case("residual, 16 blocks", residual_step(16, 56, 16)),
      step_case("residual, 150 blocks", residual_step(4, 28, 150)),
      step_case("residual, 450 blocks", residual_step(2, 14, 450)),
      random_case(1000),
      random_case(8000),
      perfect_case(100),
      perfect_case(1000),
  };
  const std::filesystem::path folder =
      std::filesystem::path(__FILE__).parent_path() / "../tests/data/minimalloc";
  for (char name = 'A'; name <= 'K'; ++name) {
    const std::string file = std::string(1, name) + ".1048576.csv";
    cases.push_back({"minimalloc " + std::string(1, name),
                     read_minimalloc_csv((folder / file).string()), 1'048'576});
  }
  return cases;
}

Row measure(const Case& one) {
  const std::clock_t begin = std::clock();
  const OffsetSolution solution = assign_offsets(one.problem);
  const std::clock_t end = std::clock();
  if (!validate_offsets(one.problem, solution).empty()) {
    throw Error(one.name + ": the solution is not sound");
  }
  const double capacity = static_cast<double>(one.capacity);
  return {.name = one.name,
          .buffers = one.problem.buffers.size(),
          .max_live_bytes = max_live_bytes(one.problem),
          .arena_bytes = solution.arena_bytes,
          .gap_percent = 100 * (static_cast<double>(solution.arena_bytes) - capacity) / capacity,
          .milliseconds = 1000.0 * static_cast<double>(end - begin) / CLOCKS_PER_SEC};
}

void print(const Row& row) {
  std::printf("%-24s %7zu %14lld %14lld %8.3f%% %10.1f\n", row.name.c_str(), row.buffers,
              static_cast<long long>(row.max_live_bytes), static_cast<long long>(row.arena_bytes),
              row.gap_percent, row.milliseconds);
  std::fflush(stdout);
}

void write_json(const std::string& path, const std::vector<Row>& rows) {
  std::ofstream file(path);
  file << "[\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    file << "  {\"problem\": \"" << row.name << "\", \"buffers\": " << row.buffers
         << ", \"max_live_bytes\": " << row.max_live_bytes
         << ", \"arena_bytes\": " << row.arena_bytes << ", \"gap_percent\": " << row.gap_percent
         << ", \"milliseconds\": " << row.milliseconds << "}"
         << (i + 1 < rows.size() ? ",\n" : "\n");
  }
  file << "]\n";
  if (!file.flush()) throw IoError(path + ": cannot be written");
}

int run(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && (arguments.size() != 2 || arguments[0] != "--json")) {
    std::cerr << "usage: offsets_bench [--json FILE]\n";
    return 2;
  }
  std::printf("%-24s %7s %14s %14s %9s %10s\n", "problem", "buffers", "max live", "arena", "gap",
              "ms");
  std::vector<Row> rows;
  for (const Case& one : all_cases()) {
    rows.push_back(measure(one));
    print(rows.back());
  }
  if (!arguments.empty()) write_json(arguments[1], rows);
  return 0;
}

}  // namespace
}  // namespace plimsoll::plan

int main(int count, char** values) {
  try {
    return plimsoll::plan::run({values + 1, values + count});
  } catch (const plimsoll::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
